"""STR022: extension-unused

## What
The namespace of images, videos or news in a sitemap without a single such record.

## Why
It does no harm. Where the records were expected, the generator has left them out.

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

## Fix
Remove the declaration, or find out why the records are missing.

## Sources
- urlset
"""

from urlset.rules.rule import Rule, Scope, Severity

RULE = Rule(
    code="STR022",
    name="extension-unused",
    severity=Severity.HINT,
    scope=Scope.ENTRY,
    table="documents",
    where="""
        kind = 'urlset' AND complete AND (
            images = 0 AND array_to_string(namespaces, ' ') LIKE '%/schemas/sitemap-image/%'
            OR videos = 0 AND array_to_string(namespaces, ' ') LIKE '%/schemas/sitemap-video/%'
            OR news = 0 AND array_to_string(namespaces, ' ') LIKE '%/schemas/sitemap-news/%'
        )
    """,
    message="A namespace of an extension is declared and not used",
    example="an extension is declared of which there is no record",
    fix="Remove the declaration, or find out why the records are missing.",
    sources=("urlset",),
    checks=("C05",),
)
