"""Checks for loc values that are not an `xs:anyURI` of 12 to 2,048 characters. The type is looser than it sounds: it
permits relative URLs, any scheme, and spaces.

## Why is this bad
A validator that uses the official schema rejects the whole document. Search engines are stricter: they require an
absolute http or https URL.

## Fails
```xml
<url><loc>https://www.example.com/%zz</loc></url>
```

## Passes
```xml
<url><loc>/relative/path</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="XSD005",
    name="schema-loc-invalid",
    severity=Severity.ERROR,
    kinds=("schema-loc",),
    profile="strict-xsd",
    message="loc does not match its type in the official schema",
    example="loc {value} is not an xs:anyURI of 12 to 2,048 characters",
    effect="parsers that validate against the official schema report {places:error|errors}",
    fix="Write a URL of 12 to 2,048 characters in which two hexadecimal digits follow every %.",
    sources=("https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd", "https://www.w3.org/TR/xmlschema-2/#anyURI"),
    checks=("D04",),
)
