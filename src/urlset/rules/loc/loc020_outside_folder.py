"""LOC020: url-outside-folder

## What
A URL that is not in the folder of the sitemap or below it. Only for sitemaps that were fetched and that no robots.txt
names.

## Why
By the protocol a sitemap at /blog/sitemap.xml speaks for URLs below /blog/ alone. A sitemap that robots.txt names, or
that was submitted to an engine by the owner of the site, speaks for the whole host: then the finding does not apply.

## Fails
```xml
<!-- https://www.example.com/blog/sitemap.xml -->
<url><loc>https://www.example.com/about</loc></url>
```

## Passes
```xml
<!-- https://www.example.com/sitemap.xml -->
<url><loc>https://www.example.com/about</loc></url>
```

## Fix
Put the sitemap into the root folder of the site, or name it in robots.txt.

## Sources
- https://www.sitemaps.org/protocol.html#location
- https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity

RULE = Rule(
    code="LOC020",
    name="url-outside-folder",
    severity=Severity.INFO,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="urls",
    field="loc",
    query="""
        WITH folders AS (
            SELECT document_id, host, regexp_replace(site_path, '[^/]*$', '') AS folder
            FROM documents
            WHERE host IS NOT NULL AND coalesce(found_by, '') <> 'robots'
        )
        SELECT
            u.document_id, u.ordinal, coalesce(u.loc_line, u.line) AS line, coalesce(u.loc_col, u.col) AS col,
            u.loc AS url, u.path AS value, f.folder
        FROM urls AS u
        JOIN folders AS f ON f.document_id = u.document_id AND f.host = u.host
        WHERE f.folder <> '/' AND u.loc_problem IS NULL AND NOT starts_with(u.path, f.folder)
    """,
    message="URL is outside the folder of the sitemap",
    example="{value} is not below {folder}",
    fix="Put the sitemap into the root folder of the site, or name it in robots.txt.",
    sources=(
        "https://www.sitemaps.org/protocol.html#location",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("D16",),
)
