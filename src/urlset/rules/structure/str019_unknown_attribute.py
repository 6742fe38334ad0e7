"""Checks for an attribute on url, loc, sitemap or one of their fields, which have none.

## Why is this bad
It is ignored; the official schema rejects it. It is usually meant for something else, a language for instance, which
has a way of its own.

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
    detail="CASE WHEN field IS NULL THEN 'an element' ELSE '<' || field || '>' END",
    kinds=("unknown-attribute",),
    message="An element has an attribute that it does not have by the protocol",
    example="{detail} has the attribute {value}",
    fix="Remove the attribute.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("C12",),
)
