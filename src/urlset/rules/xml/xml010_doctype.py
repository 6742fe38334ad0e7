"""Checks for a document type declaration (DOCTYPE).

## Why is this bad
A DOCTYPE is valid XML, but a sitemap does not need one. It can declare entities or refer to an external file, so some
parsers reject every document that has one.

## Fails
```xml
<!DOCTYPE urlset>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="XML010",
    name="doctype",
    severity=Severity.INFO,
    kinds=("doctype",),
    message="Document has a document type declaration",
    example="document type declaration: {value}",
    fix="Remove the DOCTYPE.",
    sources=(
        "https://www.w3.org/TR/xml/#sec-prolog-dtd",
        "urlset",
    ),
    checks=("B11",),
    fixable=Fixable.ALWAYS,
)
