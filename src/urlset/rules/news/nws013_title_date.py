"""Checks for `<news:title>` values that begin or end with a full date, set apart by a dash, vertical bar, colon, or
parentheses.

## Why is this bad
Google requires the title of the article only, without author, publication, or date. The date has its own field.

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
# A date without a separator is part of the sentence.
AT_END = f"( [-–—|] |[|:] ?|[(]){DATE}[)]?$"
AT_START = f"^[(]?{DATE}([)] | [-–—|] |[|:] )"

RULE = EntryRule(
    code="NWS013",
    name="news-title-has-date",
    severity=Severity.INFO,
    table="news",
    field="title",
    where=f"regexp_matches(title, '{AT_END}') OR regexp_matches(title, '{AT_START}')",
    detail=f"coalesce(nullif(regexp_extract(title, '{AT_END}', 2), ''), regexp_extract(title, '{AT_START}', 1))",
    message="News title begins or ends with a date",
    example="news:title {value} has the date {detail}",
    fix="Write only the title of the article, and put the date in news:publication_date.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H26",),
)
