"""Checks for priority values that are not an `xs:decimal` from 0.0 to 1.0.

## Why is this bad
A validator that uses the official schema rejects the whole document. Search engines are more tolerant: most ignore
priority.

## Fails
```xml
<url><loc>https://www.example.com/</loc><priority>1e-1</priority></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><priority>.5</priority></url>
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="XSD008",
    name="schema-priority-invalid",
    severity=Severity.ERROR,
    kinds=("schema-priority",),
    profile="strict-xsd",
    message="priority does not match its type in the official schema",
    example="priority {value} is not an xs:decimal from 0.0 to 1.0",
    effect="parsers that validate against the official schema report {places:error|errors}",
    fix="Write a number from 0.0 to 1.0 with a decimal point and without an exponent.",
    sources=("https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd", "https://www.w3.org/TR/xmlschema-2/#decimal"),
    checks=("E19",),
)
