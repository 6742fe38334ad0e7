"""DUP003: url-in-several-sitemaps

## What
A URL that is an entry of an earlier document of the run too. Sitemaps of images, videos or news may repeat URLs of
the others, and so only documents with the same kinds of records are compared; URLs are compared by their hashes of 64
bits and their lengths.

## Why
It says nothing new and may contradict the other entry, and counts of what is indexed by sitemap overlap.

## Fails
```xml
<!-- sitemap-1.xml and sitemap-2.xml -->
<url><loc>https://www.example.com/about</loc></url>
```

## Passes
```xml
<!-- sitemap-1.xml alone -->
<url><loc>https://www.example.com/about</loc></url>
```

## Fix
List each URL in one sitemap.

## Sources
- urlset
- https://www.sitemaps.org/protocol.html#index
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity, Span

RULE = Rule(
    code="DUP003",
    name="url-in-several-sitemaps",
    severity=Severity.WARNING,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="urls",
    query="""
        WITH shared AS MATERIALIZED (
            SELECT loc_hash
            FROM urls
            WHERE loc_hash IS NOT NULL
            GROUP BY loc_hash
            HAVING min(document_id) <> max(document_id)
        ), entries AS MATERIALIZED (
            SELECT
                u.document_id, u.ordinal, u.line, u.col, u.loc_hash, u.loc_length, d.url,
                d.images > 0 AS has_images, d.videos > 0 AS has_videos, d.news > 0 AS has_news
            FROM urls AS u
            JOIN shared AS s ON s.loc_hash = u.loc_hash
            JOIN documents AS d ON d.document_id = u.document_id
        )
        SELECT
            e.document_id, e.ordinal, min(e.line) AS line, min(e.col) AS col, CAST(NULL AS VARCHAR) AS url,
            min('line ' || CAST(f.line AS VARCHAR) || ' of ' || f.url) AS value
        FROM entries AS e
        JOIN entries AS f
            ON f.loc_hash = e.loc_hash AND f.loc_length = e.loc_length AND f.document_id < e.document_id
            AND f.has_images = e.has_images AND f.has_videos = e.has_videos AND f.has_news = e.has_news
        GROUP BY e.document_id, e.ordinal
    """,
    span=Span.RUN,
    needs={
        "urls": ("document_id", "ordinal", "line", "col", "loc_hash", "loc_length"),
        "documents": ("document_id", "url", "images", "videos", "news"),
    },
    message="A URL is in several sitemaps",
    example="stands also in {value}",
    fix="List each URL in one sitemap.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#index",
    ),
    checks=("K01",),
)
