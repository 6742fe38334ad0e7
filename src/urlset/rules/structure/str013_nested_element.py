"""Checks for elements inside a field that allows only text.

## Why is this bad
Search engines read such a field as empty or reject it; Yandex has a separate error for it. urlset reads the text inside
the element as the value of the field.

## Fails
```xml
<url><loc><a href="https://example.com/">https://example.com/</a></loc></url>
```

## Passes
```xml
<url><loc>https://example.com/</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, Consequence, Fixable, Severity

RULE = AnomalyRule(
    code="STR013",
    name="nested-element",
    severity=Severity.ERROR,
    leads_to=Consequence.ENTRIES,
    kinds=("nested-element",),
    message="Element inside a field that allows only text",
    example="element inside a field: {value}",
    fix="Write the value as plain text, without markup.",
    advice="The markup usually comes from editors and templates that turn URLs into links.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    checks=("C10",),
    fixable=Fixable.ALWAYS,
)
