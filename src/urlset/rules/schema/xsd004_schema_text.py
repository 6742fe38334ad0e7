"""Checks for text between elements, and for references to entities that the document declares. Entities are not
expanded, so a value that contains one cannot be validated.

## Why is this bad
A validator that uses the official schema rejects the whole document. Search engines ignore text between elements.

## Fails
```xml
<url>new: <loc>https://www.example.com/</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="XSD004",
    name="schema-text-not-allowed",
    severity=Severity.ERROR,
    kinds=("schema-text",),
    profile="strict-xsd",
    message="Text is not allowed by the official schema",
    example="{value} is not allowed here",
    effect="parsers that validate against the official schema report {places:error|errors}",
    fix="Remove the text. Replace entity references with their values.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.w3.org/TR/xmlschema-1/#cvc-complex-type",
    ),
    checks=("C09",),
)
