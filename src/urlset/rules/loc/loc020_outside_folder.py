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
