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
        WITH folders AS (
            SELECT document_id, host, regexp_replace(site_path, '[^/]*$', '') AS folder
            FROM documents
            WHERE host IS NOT NULL AND coalesce(found_by, '') <> 'robots'
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
