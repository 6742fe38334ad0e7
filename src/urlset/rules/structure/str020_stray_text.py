"""Checks for text inside elements that may only contain other elements.

## Why is this bad
The text is ignored. It may be the remains of a tag, or of a template that was not filled in.

## Fails
```xml
<url>
  about
  <loc>https://www.example.com/about</loc>
</url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="STR020",
    name="stray-text",
    severity=Severity.INFO,
    kinds=("stray-text",),
    message="Text between elements",
    example="text between elements: {value}",
    fix="Remove the text, or put it in a comment.",
    sources=("https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",),
    checks=("C15",),
    fixable=Fixable.ALWAYS,
)
