"""Checks for URLs that an earlier document of the run also lists. Image, video, and news sitemaps may repeat URLs of
other sitemaps, so the rule only compares documents with the same kinds of records. URLs are compared by 64-bit hash.
Feeds are not compared: Google recommends a sitemap of all pages plus a feed of the latest ones. DUP005 reports
sitemaps with exactly the same URLs.

## Why is this bad
The second entry adds nothing and can contradict the first, and the counts of indexed pages per sitemap overlap.

## Fails
```xml
<!-- sitemap-1.xml and sitemap-2.xml -->
<url><loc>https://www.example.com/about</loc></url>
```

## Passes
```xml
<!-- only sitemap-1.xml -->
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.queries import COPIES, EXTENSIONS, NO_FEED, first_listed
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="DUP003",
    name="url-in-several-sitemaps",
    severity=Severity.WARNING,
    table="urls",
    needs=("shared_locs",),
    query=f"""{first_listed(EXTENSIONS, EXTENSIONS, where=NO_FEED)}{COPIES}
, repeated AS (
            SELECT
                e.document_id, e.ordinal, e.line, e.col, f.url AS value, f.line AS other_line,
                e.url = concat(f.url, '.gz') OR f.url = concat(e.url, '.gz') AS is_packed_copy
            FROM entries AS e
            JOIN firsts AS f
                ON f.loc_hash = e.loc_hash AND f.has_images = e.has_images
                AND f.has_videos = e.has_videos AND f.has_news = e.has_news
            LEFT JOIN copies AS c ON c.document_id = e.document_id
            WHERE f.document_id < e.document_id AND c.document_id IS NULL
        )
        SELECT
            document_id, ordinal, line, col, CAST(NULL AS VARCHAR) AS url, value,
            concat('also listed on line ', other_line, ' of ', value) AS where_else
        FROM repeated
        WHERE NOT is_packed_copy
        UNION ALL
        SELECT
            document_id, CAST(NULL AS INTEGER) AS ordinal, CAST(NULL AS INTEGER) AS line,
            CAST(NULL AS INTEGER) AS col, CAST(NULL AS VARCHAR) AS url, value,
            concat('a copy of ', value, ' that differs from it; URLs in both: ', count(*)) AS where_else
        FROM repeated
        WHERE is_packed_copy
        GROUP BY document_id, value
    """,
    scope=RuleScope.RUN,
    message="URL is listed in several sitemaps",
    example="{where_else}",
    effect="{places:URL counts|URLs count} twice in the reports of search engines",
    fix="List each URL in only one sitemap.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#index",
        "https://developers.google.com/search/blog/2014/10/best-practices-for-xml-sitemaps-rssatom",
    ),
    checks=("K01",),
)
