"""Checks for an element that the schemas do not allow where it stands: of another name or namespace, in another order
than loc, lastmod, changefreq, priority, given twice, or of an extension. Extensions may stand behind those four, but
only with a declaration, and the two schemas of sitemaps.org declare none.

## Why is this bad
The official schema rejects the whole document for it, and so does whoever validates with that. What engines read is
another matter: most take fields in any order, and images or links in every document.

## Fails
```xml
<url><lastmod>2025-06-01</lastmod><loc>https://www.example.com/</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="XSD001",
    name="schema-element-not-allowed",
    severity=Severity.ERROR,
    kinds=("schema-element",),
    profile="strict-xsd",
    message="Element is not allowed where it stands by the official schema",
    example="{value} is not allowed here",
    fix="Write loc, lastmod, changefreq and priority in this order, each once, in the namespace of sitemaps.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd",
        "https://www.w3.org/TR/xmlschema-1/#Wildcards",
    ),
    checks=("C09", "C11"),
)
