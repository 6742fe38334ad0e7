"""Checks for an attribute on an element of the sitemap: the schemas know none, not even `xml:lang`. Declarations of
namespaces and `xsi:schemaLocation` are no attributes in this sense.

## Why is this bad
The official schema rejects the whole document for it, and so does whoever validates with that. What engines read is
another matter: attributes are passed over.

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
    fix="Remove the attribute.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.w3.org/TR/xmlschema-1/#cvc-complex-type",
    ),
    checks=("C12",),
)
