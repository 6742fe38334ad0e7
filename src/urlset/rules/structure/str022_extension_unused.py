"""Checks for a namespace of an extension (images, videos, news, language versions, mobile pages, places, code, PageMap)
that is declared in a sitemap without any element of it. Each declaration is named.

## Why is this bad
It does no harm. Many generators declare every namespace they know; where records were expected, the generator has left
them out.

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

from urlset.rules.namespaces import OBSOLETE, USED, declared
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="STR022",
    name="extension-unused",
    severity=Severity.HINT,
    table="documents",
    only="kind = 'urlset' AND complete AND len(namespaces) > 1",
    query=declared(
        "kind = 'urlset' AND complete",
        f"""CASE
            WHEN uri LIKE '%/schemas/sitemap-image/%' THEN images = 0
            WHEN uri LIKE '%/schemas/sitemap-video/%' THEN videos = 0
            WHEN uri LIKE '%/schemas/sitemap-news/%' THEN news = 0
            WHEN uri LIKE '%w3.org/1999/xhtml' THEN alternates = 0
            WHEN {OBSOLETE} THEN NOT {USED}
            ELSE FALSE
        END""",
    ),
    message="A namespace of an extension is declared and not used",
    example="xmlns:{value} is declared and not used",
    fix="Remove the declaration, or find out why the records are missing.",
    sources=("urlset",),
    checks=("C05",),
)
