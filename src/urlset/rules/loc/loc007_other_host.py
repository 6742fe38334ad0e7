"""LOC007: url-other-host

## What
A URL on another host than the sitemap's own. For a sitemap that was not fetched, from a folder for instance, the host
of most entries takes its place.

## Why
All URLs of a sitemap must be of one host, its own; www.example.com and example.com are two. Engines drop entries of
other hosts unless the other host's robots.txt names this sitemap or both sites are verified by one owner. Where that
robots.txt was read and names a sitemap of this host, nothing is reported; where it was not read, the finding says so.

## Fails
```xml
<!-- https://www.example.com/sitemap.xml -->
<url><loc>https://www.example.com/a</loc></url>
<url><loc>https://shop.example.com/b</loc></url>
```

## Passes
```xml
<!-- https://www.example.com/sitemap.xml -->
<url><loc>https://www.example.com/a</loc></url>
<url><loc>https://www.example.com/b</loc></url>
```

## Fix
Give each host a sitemap of its own. To serve them all from one place, name each sitemap in the robots.txt of the host
whose pages it lists.

## Sources
- https://www.sitemaps.org/protocol.html#location
- https://www.sitemaps.org/protocol.html
- https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
- https://www.sitemaps.org/protocol.html#sitemaps_cross_submits
"""

from urlset.rules.cross_submission import ASKED, NAMING, unless_named
from urlset.rules.rule import CheckEffect, Rule, Scope, Severity

RULE = Rule(
    code="LOC007",
    name="url-other-host",
    severity=Severity.WARNING,
    scope=Scope.SET,
    table="urls",
    field="loc",
    query=f"""
        WITH hosts AS MATERIALIZED (
            SELECT document_id, host, count(*) AS entries, min(ordinal) AS first_ordinal
            FROM urls
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
                CASE WHEN d.host IS NULL THEN 'most entries are on ' ELSE 'the sitemap is on ' END AS because
            FROM ranked AS r
            JOIN documents AS d ON d.document_id = r.document_id
            WHERE r.place = 1
        ), naming AS ({NAMING}), asked AS ({ASKED}), others AS MATERIALIZED (
            SELECT
                h.document_id, h.host,
                e.because || e.host || {unless_named("h.host", "a.host IS NOT NULL")} AS expected
            FROM hosts AS h
            JOIN expected AS e ON e.document_id = h.document_id
            LEFT JOIN naming AS n ON n.host = h.host AND n.sitemap_host = e.host
            LEFT JOIN asked AS a ON a.host = h.host
            WHERE h.host <> e.host AND n.host IS NULL
        )
        SELECT
            u.document_id, u.ordinal, coalesce(u.loc_line, u.line) AS line, coalesce(u.loc_col, u.col) AS col,
            u.loc AS url, u.host AS value, o.expected
        FROM urls AS u
        JOIN others AS o ON o.document_id = u.document_id AND o.host = u.host
        WHERE u.loc_problem IS NULL
    """,
    message="URL is on another host",
    example="loc is on {value}, but {expected}",
    fix="List the URL in a sitemap of its own host, or name this sitemap in that host's robots.txt.",
    sources=(
        "https://www.sitemaps.org/protocol.html#location",
        "https://www.sitemaps.org/protocol.html",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://www.sitemaps.org/protocol.html#sitemaps_cross_submits",
    ),
    check_effect=CheckEffect.WARN,
    checks=("D13",),
)
