"""Checks for an index with one sitemap.

## Why is this bad
It is allowed and costs one request more. Generators make it so that a second sitemap can come without a change of
address.

## Fails
```xml
<sitemapindex …>
  <sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2025-06-01</lastmod></sitemap>
</sitemapindex>
```

## Passes
```xml
<sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2025-06-01</lastmod></sitemap>
<sitemap><loc>https://www.example.com/sitemap-2.xml</loc></sitemap>
```
"""

from urlset.rules.queries import PLACE_OF_LOC
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="IDX011",
    name="index-of-one",
    severity=Severity.INFO,
    table="children",
    only="kind = 'sitemapindex' AND entries = 1 AND complete",
    query=f"""
        SELECT{PLACE_OF_LOC}, u.loc AS value
        FROM children AS u
        JOIN documents AS d ON d.document_id = u.document_id
        WHERE d.kind = 'sitemapindex' AND d.entries = 1 AND d.complete
    """,
    message="Index lists a single sitemap",
    example="the only sitemap is {value}",
    fix="Submit the sitemap itself, unless it is going to be split.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "urlset",
    ),
    checks=("F14",),
)
