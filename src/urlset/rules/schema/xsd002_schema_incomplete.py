"""Checks for a urlset without url, a sitemapindex without sitemap, an entry without loc.

## Why is this bad
The official schema rejects the whole document for it, and so does whoever validates with that. What engines read is
another matter: an empty sitemap harms nobody, and an entry without loc is skipped.

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
    message="Element lacks one that the official schema demands in it",
    example="there is {value}",
    fix="Give every entry a loc, and every document an entry.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd",
    ),
    checks=("C06", "C14"),
)
