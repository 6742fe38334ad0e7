"""Checks for a news sitemap without an article of the last two days. A third day is allowed, since a date may be a day
without a time.

## Why is this bad
A news sitemap is for the articles of the last two days, and Google ignores older records. One without a single current
article is either no longer updated or lists an archive, which belongs in an ordinary sitemap.

## Fails
```xml
<news:news>…<news:publication_date>2019-06-01</news:publication_date></news:news>
<news:news>…<news:publication_date>2019-06-02</news:publication_date></news:news>
```

## Passes
```xml
<news:news>…<news:publication_date>2019-06-01</news:publication_date></news:news>
<news:news>…<news:publication_date>2025-06-01</news:publication_date></news:news>
```
"""

from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="NWS014",
    name="news-all-too-old",
    severity=Severity.WARNING,
    table="news",
    query="""
        SELECT
            document_id, max_by(ordinal, publication_date_at) AS ordinal, max_by(line, publication_date_at) AS line,
            max_by(col, publication_date_at) AS col, CAST(NULL AS VARCHAR) AS url,
            max_by(publication_date, publication_date_at) AS value, count(publication_date_at) AS articles
        FROM news
        GROUP BY document_id
        HAVING max(publication_date_at) < $now - INTERVAL 3 DAY
    """,
    message="Every article of the news sitemap is older than two days",
    example="the newest of {articles:article|articles} is of {value}",
    fix="Find out why the sitemap is not updated; list older articles in an ordinary sitemap.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H20",),
)
