"""Checks for attributes on sitemap elements. The schemas define no attributes, not even `xml:lang`. Namespace
declarations and `xsi:schemaLocation` do not count as attributes.

## Why is this bad
A validator that uses the official schema rejects the whole document. Search engines ignore attributes.

## Fails
```xml
<url id="1"><loc>https://www.example.com/</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="XSD003",
    name="schema-attribute-not-allowed",
    severity=Severity.ERROR,
    kinds=("schema-attribute",),
    profile="strict-xsd",
    message="Attribute is not allowed by the official schema",
    example="{value}",
    effect="parsers that validate against the official schema report {places:error|errors}",
    fix="Remove the attribute.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.w3.org/TR/xmlschema-1/#cvc-complex-type",
    ),
    checks=("C12",),
)
