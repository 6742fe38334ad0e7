"""Checks for a loc that is no `xs:anyURI` of 12 to 2,048 characters. That is less than it seems: it may be relative, of
any scheme, and have spaces in it.

## Why is this bad
The official schema rejects the whole document for it, and so does whoever validates with that. What engines read is
another matter: they want an absolute http or https URL.

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
    message="loc is not of the type that the official schema gives it",
    example="loc {value} is no xs:anyURI of 12 to 2,048 characters",
    fix="Write a URL of 12 to 2,048 characters, with every % followed by two hexadecimal digits.",
    sources=("https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd", "https://www.w3.org/TR/xmlschema-2/#anyURI"),
    checks=("D04",),
)
