"""Checks for elements that the official schemas do not allow where they are: an unknown name or namespace; fields in an
order other than loc, lastmod, changefreq, priority; a repeated field; or an extension element. The schemas allow
extension elements after these four fields, but only if they are declared, and the two schemas of sitemaps.org declare
none.

## Why is this bad
A validator that uses the official schema rejects the whole document. Search engines are more tolerant: most accept any
order, and read images and links in every document.

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
    message="Element is not allowed by the official schema",
    example="{value} is not allowed here",
    effect="parsers that validate against the official schema report {places:error|errors}",
    fix="Write loc, lastmod, changefreq, and priority in this order, each at most once, in the sitemap namespace.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd",
        "https://www.w3.org/TR/xmlschema-1/#Wildcards",
    ),
    checks=("C09", "C11"),
)
