"""Checks for a priority that is no `xs:decimal` from 0.0 to 1.0.

## Why is this bad
The official schema rejects the whole document for it, and so does whoever validates with that. What engines read is
another matter: most ignore priority.

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
    message="priority is not of the type that the official schema gives it",
    example="priority {value} is no xs:decimal from 0.0 to 1.0",
    fix="Write a number from 0.0 to 1.0 with a full stop and without exponent.",
    sources=("https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd", "https://www.w3.org/TR/xmlschema-2/#decimal"),
    checks=("E19",),
)
