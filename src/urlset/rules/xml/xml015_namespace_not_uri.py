"""Checks for namespace names that are not URIs, for example because they contain a space.

## Why is this bad
Namespaces in XML requires a URI. Parsers need not check this, and most accept the document; some print a warning. A
misspelled namespace of the protocol or of a known extension is reported by STR005 and STR006 instead.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:shop="my shop">
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:shop="https://example.com/shop">
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="XML015",
    name="namespace-not-uri",
    severity=Severity.INFO,
    kinds=("namespace-not-uri",),
    message="Namespace is not a URI",
    example="namespace: {value}",
    fix="Write a URI as the namespace, or remove the declaration.",
    sources=(
        "https://www.w3.org/TR/xml-names/#ns-decl",
        "https://www.w3.org/TR/xml-names/#ProcessorConformance",
    ),
    checks=("B10",),
    fixable=Fixable.ALWAYS,
)
