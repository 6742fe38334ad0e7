"""Checks for a news:publication_date that is neither a day (YYYY-MM-DD) nor an instant with a timezone.

## Why is this bad
Google lists four formats: a day, or a day with a time to the minute, second or fraction, each with a timezone. A year
or a month alone is not among them. The date is one of the fields that Google demands.

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
from urlset.rules.wording import DATE_PROBLEMS, in_words

RULE = EntryRule(
    code="NWS004",
    name="news-date-invalid",
    severity=Severity.ERROR,
    table="news",
    field="publication_date",
    detail="coalesce(" + in_words("publication_date_problem", DATE_PROBLEMS) + ", 'it names no day')",
    where="publication_date_problem <> 'empty' OR publication_date_precision IN ('year', 'month')",
    message="The publication date of a news record is invalid",
    example="news:publication_date {value} is invalid: {detail}",
    fix="Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss+hh:mm.",
    advice="It is the time when the article was first published. An offset is written like +01:00; Z stands for UTC.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
        "https://www.w3.org/TR/NOTE-datetime",
    ),
    checks=("H23",),
    fixable=Fixable.SOMETIMES,
)
