"""Checks for an element inside a field that may hold text only.

## Why is this bad
Engines read such a field as empty or refuse it; Yandex has an error of its own for it. urlset reads the text inside
as the field's.

## Fails
```xml
<url><loc><a href="https://example.com/">https://example.com/</a></loc></url>
```

## Passes
```xml
<url><loc>https://example.com/</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="STR013",
    name="nested-element",
    severity=Severity.ERROR,
    kinds=("nested-element",),
    message="An element stands inside a field that holds text only",
    example="inside a field: {value}",
    fix="Write the field's text without markup.",
    advice="Markup gets there through editors and templates that turn URLs into links.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    checks=("C10",),
    fixable=Fixable.ALWAYS,
)
