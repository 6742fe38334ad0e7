"""Checks for a changefreq that is not exactly one of the seven words: capitals and white space count.

## Why is this bad
The official schema rejects the whole document for it, and so does whoever validates with that. What engines read is
another matter: most ignore changefreq.

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

RULE = AnomalyRule(
    code="XSD007",
    name="schema-changefreq-invalid",
    severity=Severity.ERROR,
    kinds=("schema-changefreq",),
    profile="strict-xsd",
    message="changefreq is not of the type that the official schema gives it",
    example="changefreq {value} is none of the seven words",
    fix="Write always, hourly, daily, weekly, monthly, yearly or never, without white space around it.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.w3.org/TR/xmlschema-2/#rf-whiteSpace",
    ),
    checks=("E16",),
)
