"""Checks for entries whose fields are not in the order loc, lastmod, changefreq, priority, extensions.

## Why is this bad
Search engines accept any order, but validation against the official schema fails.

## Fails
```xml
<url><lastmod>2025-06-01</lastmod><loc>https://www.example.com/</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="STR018",
    name="element-order",
    severity=Severity.HINT,
    kinds=("element-order",),
    message="Fields are not in schema order",
    example="{value} comes after a field that must follow it",
    fix="Write loc first, then lastmod, changefreq, priority, and extensions.",
    advice=(
        "`urlset fix` reorders the fields of the protocol. If only links, images, or videos come before one of them, "
        "it leaves the entry unchanged."
    ),
    sources=("https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",),
    checks=("C11",),
    fixable=Fixable.SOMETIMES,
)
