"""Checks for text between elements, or a reference to an entity that the document declares: entities are not expanded,
and a value that has one cannot be validated.

## Why is this bad
The official schema rejects the whole document for it, and so does whoever validates with that. What engines read is
another matter: text between elements is passed over.

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
    message="Text is not allowed where it stands by the official schema",
    example="{value} is not allowed here",
    fix="Remove the text; write the value itself in place of an entity.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.w3.org/TR/xmlschema-1/#cvc-complex-type",
    ),
    checks=("C09",),
)
