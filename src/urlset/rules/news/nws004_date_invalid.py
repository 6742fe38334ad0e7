"""Checks for `<news:publication_date>` values that are neither a date (YYYY-MM-DD) nor a date and time with a time
zone.

## Why is this bad
Google accepts four formats: a date, or a date with a time to the minute, second, or fraction of a second, each with a
time zone. A year or a month alone is not accepted. The date is one of the fields that Google requires.

## Fails
```xml
<news:publication_date>Dec 23, 2025</news:publication_date>
<news:publication_date>2025-12-23T10:00:00</news:publication_date>
<news:publication_date>2025-12</news:publication_date>
```

## Passes
```xml
<news:publication_date>2025-12-23</news:publication_date>
<news:publication_date>2025-12-23T10:00+01:00</news:publication_date>
```
"""

from urlset.rules.rule import EntryRule, Fixable, Severity
from urlset.rules.wording import date_problem_in_words

RULE = EntryRule(
    code="NWS004",
    name="news-date-invalid",
    severity=Severity.ERROR,
    table="news",
    field="publication_date",
    detail="coalesce(" + date_problem_in_words("publication_date", "publication_date_problem") + ", 'it has no day')",
    where="publication_date_problem <> 'empty' OR publication_date_precision IN ('year', 'month')",
    message="News publication date is invalid",
    example="news:publication_date {value} is invalid: {detail}",
    effect="Google News ignores {places:article|articles}",
    fix="Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss+hh:mm.",
    advice="Use the time when the article was first published. Write the offset like +01:00, or Z for UTC.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
        "https://www.w3.org/TR/NOTE-datetime",
    ),
    checks=("H23",),
    fixable=Fixable.SOMETIMES,
)
