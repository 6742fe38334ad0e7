"""Checks for text between elements that hold elements only.

## Why is this bad
It is ignored, and may be the rest of a tag or of a template that was not filled in.

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
    message="Text stands between elements",
    example="text between elements: {value}",
    fix="Remove the text, or put it into a comment.",
    sources=("https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",),
    checks=("C15",),
    fixable=Fixable.ALWAYS,
)
