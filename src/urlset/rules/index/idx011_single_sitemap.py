"""Checks for sitemap indexes that list only one sitemap.

## Why is this bad
This is valid, but costs an extra request. Some generators write such an index so that a second sitemap can be added
later without a new URL.

## Fails
```xml
<sitemapindex …>
  <sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2025-06-01</lastmod></sitemap>
</sitemapindex>
```

## Passes
```xml
<sitemapindex …>
  <sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2025-06-01</lastmod></sitemap>
  <sitemap><loc>https://www.example.com/sitemap-2.xml</loc></sitemap>
</sitemapindex>
```
"""

from urlset.rules.queries import PLACE_OF_LOC
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="IDX011",
    name="index-single-sitemap",
    severity=Severity.HINT,
    table="children",
    needs=("sitemapindex", "one-entry"),
    query=f"""
        SELECT{PLACE_OF_LOC}, u.loc AS value
        FROM children AS u
        JOIN documents AS d ON d.document_id = u.document_id
        WHERE d.kind = 'sitemapindex' AND d.entries = 1 AND d.complete AND u.loc <> ''
    """,
    message="Sitemap index lists only one sitemap",
    example="the only sitemap is {value}",
    fix="Submit the sitemap itself, unless you plan to split it.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "urlset",
    ),
    checks=("F14",),
)
