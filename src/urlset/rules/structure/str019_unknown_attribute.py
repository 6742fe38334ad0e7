"""Checks for attributes on url, sitemap, loc, or another field of an entry. None of these elements has attributes.

## Why is this bad
The attribute is ignored, and the official schema rejects it. It is usually meant to express something that has a
mechanism of its own, such as the language of a page.

## Fails
```xml
<url><loc lang="en">https://www.example.com/</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="STR019",
    name="unknown-attribute",
    severity=Severity.INFO,
    detail="CASE WHEN field IS NULL THEN 'the entry' ELSE '<' || field || '>' END",
    kinds=("unknown-attribute",),
    message="Element has an attribute that the protocol does not define",
    example="{detail} has the attribute {value}",
    fix="Remove the attribute.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("C12",),
)
