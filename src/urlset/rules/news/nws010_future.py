"""Checks for news articles dated more than one day in the future. One day is allowed for clock differences and time
zones.

## Why is this bad
The article cannot have been published yet. The date must be the date of first publication.

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
    message="News publication date is in the future",
    example="news:publication_date is {value}",
    effect="Google News distrusts {places:publication date|publication dates}",
    fix="Write the date when the article was first published.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
        "urlset",
    ),
    checks=("H24",),
)
