"""Checks for a urlset without url, a sitemapindex without sitemap, and entries without loc.

## Why is this bad
A validator that uses the official schema rejects the whole document. Search engines are more tolerant: an empty sitemap
is harmless, and an entry without loc is skipped.

## Fails
```xml
<url><lastmod>2025-06-01</lastmod></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="XSD002",
    name="schema-element-incomplete",
    severity=Severity.ERROR,
    kinds=("schema-incomplete",),
    profile="strict-xsd",
    message="Element that the official schema requires is missing",
    example="{value}",
    effect="parsers that validate against the official schema report {places:error|errors}",
    fix="Add a loc to every entry, and at least one entry to every document.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd",
    ),
    checks=("C06", "C14"),
)
