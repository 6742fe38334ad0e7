"""Checks for a field that may stand once in an entry or record and is given several times, or several URLs in one
entry.

## Why is this bad
Readers take the first, the last or none of them, so nobody knows which value counts. Search Console reports too many
tags, Yandex that a tag was found more than once. urlset reads each further URL of an entry as an entry of its own, with
the fields that follow it.

## Fails
```xml
<url>
  <loc>https://example.com/a</loc>
  <loc>https://example.com/b</loc>
</url>
```

## Passes
```xml
<url><loc>https://example.com/a</loc></url>
<url><loc>https://example.com/b</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="STR009",
    name="field-repeated",
    severity=Severity.ERROR,
    detail="CASE kind WHEN 'several-urls' THEN evidence ELSE field || ' is given more than once: ' || evidence END",
    kinds=("repeated-field", "several-urls"),
    message="A field is given more than once",
    example="{detail}",
    fix="Keep one of the values; write a second URL as an entry of its own.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("C08",),
    fixable=Fixable.SOMETIMES,
)
