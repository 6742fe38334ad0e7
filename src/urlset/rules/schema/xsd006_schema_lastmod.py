"""Checks for a lastmod that is neither `xs:date` nor `xs:dateTime`. These are not quite the dates of the protocol: a
year, a month or a time without seconds is no value for them, while a time without timezone and a date with one are.

## Why is this bad
The official schema rejects the whole document for it, and so does whoever validates with that. What engines read is
another matter: the protocol allows a month, and some engines reject a time without timezone.

## Fails
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06</lastmod></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01T10:00:00</lastmod></url>
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="XSD006",
    name="schema-lastmod-invalid",
    severity=Severity.ERROR,
    kinds=("schema-lastmod",),
    profile="strict-xsd",
    message="lastmod is not of the type that the official schema gives it",
    example="lastmod {value} is neither xs:date nor xs:dateTime",
    fix="Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with Z or an offset.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.w3.org/TR/xmlschema-2/#date",
        "https://www.w3.org/TR/xmlschema-2/#dateTime",
    ),
    checks=("E01",),
)
