"""Checks for spaces or line breaks before or after the value of a field.

## Why is this bad
Every known reader strips them. The official schema accepts them everywhere except around changefreq.

## Fails
```xml
<url><loc>
  https://www.example.com/
</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="STR021",
    name="whitespace-around-value",
    severity=Severity.HINT,
    kinds=("surrounding-space",),
    message="Whitespace around a value",
    example="whitespace around {field}",
    fix="Write the value directly between its tags.",
    sources=("https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",),
    checks=("D05",),
    fixable=Fixable.ALWAYS,
)
