"""Checks for the fields of an entry in another order than loc, lastmod, changefreq, priority, extensions.

## Why is this bad
Engines read them in any order; a validation against the official schema rejects them.

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
    severity=Severity.INFO,
    kinds=("element-order",),
    message="Fields are not in the order of the schema",
    example="{value} stands after a field that it must come before",
    fix="Write loc first, then lastmod, changefreq, priority and extensions.",
    advice=(
        "`urlset fix` puts the fields of the protocol in order; where only links, images or videos stand before "
        "one of them, it leaves the entry as it is."
    ),
    sources=("https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",),
    checks=("C11",),
    fixable=Fixable.SOMETIMES,
)
