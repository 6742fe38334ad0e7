"""Checks for extension namespaces (images, videos, news, hreflang, mobile, geo, code search, PageMap) that a sitemap
declares without using any of their elements. Each declaration is reported.

## Why is this bad
It is harmless. Many generators declare every namespace they know. If you expected such elements, the generator did not
write them.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc>https://www.example.com/</loc></url>
</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://www.example.com/</loc></url>
</urlset>
```
"""

from urlset.rules.namespaces import IS_USED, OBSOLETE, declarations
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="STR022",
    name="extension-unused",
    severity=Severity.HINT,
    table="documents",
    needs=("unused-namespace",),
    query=declarations(
        "kind = 'urlset' AND complete",
        f"""CASE
            WHEN uri LIKE '%/schemas/sitemap-image/%' THEN images = 0
            WHEN uri LIKE '%/schemas/sitemap-video/%' THEN videos = 0
            WHEN uri LIKE '%/schemas/sitemap-news/%' THEN news = 0
            WHEN uri LIKE '%w3.org/1999/xhtml' THEN alternates = 0
            WHEN {OBSOLETE} THEN NOT {IS_USED}
            ELSE FALSE
        END""",
    ),
    message="Extension namespace is declared but not used",
    example="xmlns:{value} is declared but not used",
    fix="Remove the declaration, or find out why the elements are missing.",
    sources=("urlset",),
    quiet=True,
    checks=("C05",),
)
