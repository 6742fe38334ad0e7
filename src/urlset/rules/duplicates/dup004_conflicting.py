"""DUP004: url-dates-conflict

## What
A URL in two documents of the run whose dates differ by more than a day.

## Why
At most one of the dates is true, and engines cannot know which.

## Fails
```xml
<!-- sitemap-1.xml -->
<url><loc>https://www.example.com/about</loc><lastmod>2025-06-01</lastmod></url>
<!-- sitemap-2.xml -->
<url><loc>https://www.example.com/about</loc><lastmod>2024-01-01</lastmod></url>
```

## Passes
```xml
<!-- sitemap-1.xml alone -->
<url><loc>https://www.example.com/about</loc><lastmod>2025-06-01</lastmod></url>
```

## Fix
Take all dates from one source, and list each URL once.

## Sources
- urlset
- https://www.sitemaps.org/protocol.html#lastmoddef
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity, Span

RULE = Rule(
    code="DUP004",
    name="url-dates-conflict",
    severity=Severity.WARNING,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="urls",
    query="""
        WITH shared AS MATERIALIZED (
            SELECT loc_hash
            FROM urls
            WHERE loc_hash IS NOT NULL AND lastmod_at IS NOT NULL
            GROUP BY loc_hash
            HAVING min(document_id) <> max(document_id) AND min(lastmod_at) + INTERVAL 1 DAY < max(lastmod_at)
        ), entries AS MATERIALIZED (
            SELECT u.document_id, u.ordinal, u.line, u.col, u.loc_hash, u.loc_length, u.lastmod_at, d.url
            FROM urls AS u
            JOIN shared AS s ON s.loc_hash = u.loc_hash
            JOIN documents AS d ON d.document_id = u.document_id
            WHERE u.lastmod_at IS NOT NULL
        )
        SELECT
            e.document_id, e.ordinal, min(e.line) AS line, min(e.col) AS col, CAST(NULL AS VARCHAR) AS url,
            min('line ' || CAST(f.line AS VARCHAR) || ' of ' || f.url) AS value,
            max(abs(date_diff('day', f.lastmod_at, e.lastmod_at))) AS days
        FROM entries AS e
        JOIN entries AS f ON f.loc_hash = e.loc_hash AND f.loc_length = e.loc_length AND f.document_id < e.document_id
        WHERE e.lastmod_at > f.lastmod_at + INTERVAL 1 DAY OR f.lastmod_at > e.lastmod_at + INTERVAL 1 DAY
        GROUP BY e.document_id, e.ordinal
    """,
    span=Span.RUN,
    needs={
        "urls": ("document_id", "ordinal", "line", "col", "loc_hash", "loc_length", "lastmod_at"),
        "documents": ("document_id", "url"),
    },
    message="Two sitemaps give one URL different dates",
    example="lastmod differs by {days} days from that in {value}",
    fix="Take all dates from one source, and list each URL once.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#lastmoddef",
    ),
    checks=("K02",),
)
