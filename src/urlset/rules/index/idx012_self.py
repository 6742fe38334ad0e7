"""Checks for fetched sitemap indexes that list their own URL.

## Why is this bad
A sitemap index may not list an index, and this entry creates a loop.

## Fails
```xml
<!-- https://www.example.com/sitemap-index.xml -->
<sitemap><loc>https://www.example.com/sitemap-index.xml</loc></sitemap>
```

## Passes
```xml
<sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2025-06-01</lastmod></sitemap>
```
"""

from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="IDX012",
    name="index-lists-itself",
    severity=Severity.ERROR,
    table="children",
    field="loc",
    query="""
        SELECT
            c.document_id, c.ordinal, coalesce(c.loc_line, c.line) AS line, coalesce(c.loc_col, c.col) AS col,
            c.loc AS url, c.loc AS value
        FROM children AS c
        JOIN documents AS d ON d.document_id = c.document_id
        WHERE d.host IS NOT NULL AND c.loc_hash IN (d.final_url_hash, d.url_hash)
    """,
    message="Sitemap index lists itself",
    example="{value} is the index itself",
    fix="Remove the entry.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("F07",),
)
