"""Checks for an article dated more than a day ahead of the check; the day is for clocks and time zones.

## Why is this bad
It cannot have been published yet. The date must be that of the first publication.

## Fails
```xml
<news:news>…<news:publication_date>2999-01-01</news:publication_date></news:news>
```

## Passes
```xml
<news:news>…<news:publication_date>2025-06-01</news:publication_date></news:news>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="NWS010",
    name="news-date-future",
    severity=Severity.WARNING,
    table="news",
    field="publication_date",
    where="publication_date_at > $now + INTERVAL 1 DAY",
    message="A news article is from the future",
    example="news:publication_date is {value}",
    fix="Write when the article was first published.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
        "urlset",
    ),
    checks=("H24",),
)
