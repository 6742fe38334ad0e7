"""Checks for news sitemaps in which every dated article was published more than three days ago. Google's limit is two
days; urlset allows one more, because a date may lack a time.

## Why is this bad
A news sitemap is for articles from the last two days, and Google ignores older records. A news sitemap without a
current article is either no longer updated or lists an archive, which belongs in a regular sitemap.

## Fails
```xml
<!-- checked on 2025-12-24 -->
<news:news>…<news:publication_date>2019-06-01</news:publication_date></news:news>
<news:news>…<news:publication_date>2019-06-02</news:publication_date></news:news>
```

## Passes
```xml
<!-- checked on 2025-12-24 -->
<news:news>…<news:publication_date>2019-06-01</news:publication_date></news:news>
<news:news>…<news:publication_date>2025-12-23</news:publication_date></news:news>
```
"""

from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="NWS014",
    name="news-all-too-old",
    severity=Severity.WARNING,
    table="news",
    query="""
        WITH dated AS (
            SELECT
                document_id, ordinal, line, col, publication_date, publication_date_at,
                count(*) OVER (PARTITION BY document_id) AS articles,
                row_number() OVER (
                    PARTITION BY document_id ORDER BY publication_date_at DESC, ordinal, line, col
                ) AS place
            FROM news
            WHERE publication_date_at IS NOT NULL
        )
        SELECT document_id, ordinal, line, col, CAST(NULL AS VARCHAR) AS url, publication_date AS value, articles
        FROM dated
        WHERE place = 1 AND publication_date_at < $now - INTERVAL 3 DAY
    """,
    message="News sitemap has no recent article",
    example="latest news:publication_date is {value}; dated articles: {articles:,}",
    effect="Google News finds nothing new in {places:sitemap|sitemaps}",
    fix="Find out why the sitemap is not updated. List older articles in a regular sitemap.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H20",),
)
