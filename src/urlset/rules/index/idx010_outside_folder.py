"""IDX010: child-outside-folder

## What
A fetched index, not named in robots.txt, that lists a sitemap which is not in the index's folder or below it.

## Why
Google wants the sitemaps of an index in its folder or below. An index that robots.txt names speaks for the whole
host.

## Fails
```xml
<!-- https://www.example.com/maps/index.xml -->
<sitemap><loc>https://www.example.com/blog/sitemap.xml</loc></sitemap>
```

## Passes
```xml
<!-- https://www.example.com/index.xml -->
<sitemap><loc>https://www.example.com/blog/sitemap.xml</loc></sitemap>
```

## Fix
Put the index into a folder above its sitemaps, best into the root.

## Sources
- https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps
- https://www.sitemaps.org/protocol.html#location
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity

RULE = Rule(
    code="IDX010",
    name="child-outside-folder",
    severity=Severity.WARNING,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="children",
    field="loc",
    query="""
        WITH named AS (
            SELECT DISTINCT d.document_id
            FROM documents AS d
            JOIN robots_files AS r ON r.host = d.host
            JOIN sitemap_lines AS s ON s.document_id = r.document_id
            WHERE s.loc = d.url OR s.loc = d.final_url OR d.parent_id IS NOT NULL
        ), folders AS (
            SELECT d.document_id, d.host, regexp_replace(d.site_path, '[^/]*$', '') AS folder
            FROM documents AS d
            LEFT JOIN named AS n ON n.document_id = d.document_id
            WHERE d.host IS NOT NULL AND coalesce(d.found_by, '') <> 'robots' AND n.document_id IS NULL
        )
        SELECT
            c.document_id, c.ordinal, coalesce(c.loc_line, c.line) AS line, coalesce(c.loc_col, c.col) AS col,
            c.loc AS url, c.path AS value, f.folder
        FROM children AS c
        JOIN folders AS f ON f.document_id = c.document_id AND f.host = c.host
        WHERE f.folder <> '/' AND c.loc_problem IS NULL AND NOT starts_with(c.path, f.folder)
    """,
    message="Index lists a sitemap outside its folder",
    example="{value} is not below {folder}",
    fix="Put the index into a folder above its sitemaps, best into the root.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps",
        "https://www.sitemaps.org/protocol.html#location",
    ),
    checks=("F10",),
)
