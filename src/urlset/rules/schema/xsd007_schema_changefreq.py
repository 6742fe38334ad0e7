"""Checks for changefreq values that are not exactly one of the seven allowed words. Case and whitespace matter.

## Why is this bad
A validator that uses the official schema rejects the whole document. Search engines are more tolerant: most ignore
changefreq.

## Fails
```xml
<url><loc>https://www.example.com/</loc><changefreq> Daily </changefreq></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><changefreq>daily</changefreq></url>
```
"""

from urlset.rules.rule import AnomalyRule, Severity
from urlset.tables import CHANGEFREQS

RULE = AnomalyRule(
    code="XSD007",
    name="schema-changefreq-invalid",
    severity=Severity.ERROR,
    kinds=("schema-changefreq",),
    profile="strict-xsd",
    message="changefreq does not match its type in the official schema",
    example="changefreq {value} is not one of the seven allowed words",
    effect="parsers that validate against the official schema report {places:error|errors}",
    fix=f"Write {', '.join(CHANGEFREQS[:-1])}, or {CHANGEFREQS[-1]}, without whitespace around it.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.w3.org/TR/xmlschema-2/#rf-whiteSpace",
    ),
    checks=("E16",),
)
