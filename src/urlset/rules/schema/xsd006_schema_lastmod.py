"""Checks for lastmod values that are neither an `xs:date` nor an `xs:dateTime`. These types differ from the dates of
the protocol: they do not allow a year alone, a year and month, or a time without seconds, but they do allow a time
without a time zone and a date with one.

## Why is this bad
A validator that uses the official schema rejects the whole document. Search engines apply other rules: the protocol
allows a year and month without a day, and some search engines reject a time without a time zone.

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
    message="lastmod does not match its type in the official schema",
    example="lastmod {value} is neither xs:date nor xs:dateTime",
    effect="parsers that validate against the official schema report {places:error|errors}",
    fix="Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss followed by Z or an offset.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.w3.org/TR/xmlschema-2/#date",
        "https://www.w3.org/TR/xmlschema-2/#dateTime",
    ),
    checks=("E01",),
)
