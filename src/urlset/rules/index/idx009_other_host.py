"""IDX009: child-other-host

## What
An index that lists a sitemap of another host than its own. For an index that was not fetched, the host of most of its
sitemaps takes its place.

## Why
By the protocol an index lists sitemaps of its own site only. Engines drop others unless the owner has shown that both
sites are theirs. Where the other host's robots.txt was read and names a sitemap of this host, nothing is reported;
where it was not read, the finding says so.

## Fails
```xml
<!-- https://www.example.com/sitemap-index.xml -->
<sitemap><loc>https://cdn.example.net/sitemap-1.xml</loc></sitemap>
```

## Passes
```xml
<sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2025-06-01</lastmod></sitemap>
```

## Fix
Serve the sitemap from the host of the index, or name it in robots.txt.

## Sources
- https://www.sitemaps.org/protocol.html#index
- https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps
"""

from urlset.rules.cross_submission import ASKED, NAMING, unless_named
from urlset.rules.rule import CheckEffect, Lifecycle, Rule, Scope, Severity

RULE = Rule(
    code="IDX009",
    name="child-other-host",
    severity=Severity.WARNING,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="children",
    field="loc",
    query=f"""
        WITH hosts AS MATERIALIZED (
            SELECT document_id, host, count(*) AS entries, min(ordinal) AS first_ordinal
            FROM children
            WHERE host IS NOT NULL AND loc_problem IS NULL
            GROUP BY document_id, host
        ), ranked AS (
            SELECT
                document_id, host,
                row_number() OVER (PARTITION BY document_id ORDER BY entries DESC, first_ordinal) AS place
            FROM hosts
        ), expected AS (
            SELECT
                d.document_id, coalesce(d.host, r.host) AS host,
                CASE WHEN d.host IS NULL THEN 'most are on ' ELSE 'the index is on ' END AS because
            FROM ranked AS r
            JOIN documents AS d ON d.document_id = r.document_id
            WHERE r.place = 1
        ), naming AS ({NAMING}), asked AS ({ASKED})
        SELECT
            c.document_id, c.ordinal, coalesce(c.loc_line, c.line) AS line, coalesce(c.loc_col, c.col) AS col,
            c.loc AS url, c.host AS value,
            e.because || e.host || {unless_named("c.host", "a.host IS NOT NULL")} AS expected
        FROM children AS c
        JOIN expected AS e ON e.document_id = c.document_id
        LEFT JOIN naming AS n ON n.host = c.host AND n.sitemap_host = e.host
        LEFT JOIN asked AS a ON a.host = c.host
        WHERE c.loc_problem IS NULL AND c.host <> e.host AND n.host IS NULL
    """,
    message="Index lists a sitemap of another host",
    example="the sitemap is on {value}, but {expected}",
    fix="Serve the sitemap from the host of the index, or name it in robots.txt.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps",
    ),
    check_effect=CheckEffect.WARN,
    checks=("F09",),
)
