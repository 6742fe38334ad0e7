"""Checks for a news:title that begins or ends with a whole date, set apart by a dash, a bar, a colon or brackets.

## Why is this bad
Google asks for the title of the article alone, without author, publication and date; the date has a field of its own.

## Fails
```xml
<news:news>…<news:title>Lamps are back | 5 November 2025</news:title></news:news>
```

## Passes
```xml
<news:news>…<news:title>What happened on 5 November 2025</news:title></news:news>
```
"""

from urlset.rules.rule import EntryRule, Severity

MONTH = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
DATE = (
    "([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{4}|"
    f"[0-9]{{1,2}}[.]? {MONTH} [0-9]{{4}}|{MONTH} [0-9]{{1,2}}, [0-9]{{4}})"
)

RULE = EntryRule(
    code="NWS013",
    name="news-title-has-date",
    severity=Severity.INFO,
    table="news",
    field="title",
    # A date that nothing sets apart belongs to the sentence.
    where=(
        f"regexp_matches(title, '( [-–—|] |[|:] ?|[(]){DATE}[)]?$') OR "
        f"regexp_matches(title, '^[(]?{DATE}([)] | [-–—|] |[|:] )')"
    ),
    detail=f"regexp_extract(title, '^[(]?{DATE}[) ]') || regexp_extract(title, '{DATE}[)]?$')",
    message="Title of an article begins or ends with a date",
    example="news:title {value} has the date {detail}",
    fix="Write the title of the article alone, and the date in news:publication_date.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H26",),
)
