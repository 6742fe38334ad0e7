"""Checks for news articles published more than three days ago. Google's limit is two days; urlset allows one more,
because a date may lack a time.

If every dated article of a document is too old, NWS014 reports the document once instead.

## Why is this bad
A news sitemap is for articles from the last two days. Google ignores older records, so they only take up space.

## Fails
```xml
<!-- checked on 2025-12-24 -->
<news:news>…<news:publication_date>2025-12-23</news:publication_date></news:news>
<news:news>…<news:publication_date>2019-06-01</news:publication_date></news:news>
```

## Passes
```xml
<!-- checked on 2025-12-24 -->
<news:news>…<news:publication_date>2025-12-23</news:publication_date></news:news>
```
"""

from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="NWS005",
    name="news-too-old",
    severity=Severity.INFO,
    table="news",
    field="publication_date",
    query="""
        WITH fresh AS (
            SELECT document_id, max(publication_date_at) AS newest
            FROM news
            GROUP BY document_id
            HAVING newest >= $now - INTERVAL 3 DAY AND min(publication_date_at) < $now - INTERVAL 3 DAY
        )
        SELECT n.document_id, n.ordinal, n.line, n.col, u.loc AS url, n.publication_date AS value
        FROM news AS n
        JOIN fresh AS f ON f.document_id = n.document_id
        JOIN urls AS u ON u.document_id = n.document_id AND u.ordinal = n.ordinal
        WHERE n.publication_date_at < $now - INTERVAL 3 DAY
    """,
    message="News article is too old for a news sitemap",
    example="news:publication_date is {value}",
    fix="Remove the entry or its news record. An empty news sitemap is harmless.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H20",),
)
