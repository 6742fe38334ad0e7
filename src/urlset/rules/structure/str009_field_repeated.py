"""STR009: field-repeated

## What
A field that may stand once in an entry or record and is given several times.

## Why
Readers take the first, the last or none of them, so nobody knows which value counts. Search Console reports too many
tags, Yandex that a tag was found more than once.

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

## Fix
Keep one. Two addresses are two entries.

## Sources
- https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd
- https://yandex.com/support/webmaster/error-dictionary/sitemap.html
- https://support.google.com/webmasters/answer/7451001
"""

from urlset.rules.rule import Fixable, Rule, Scope, Severity

RULE = Rule(
    code="STR009",
    name="field-repeated",
    severity=Severity.ERROR,
    scope=Scope.ANOMALY,
    table="anomalies",
    value="evidence",
    kinds=("repeated-field",),
    message="A field is given more than once",
    example="{field} is given more than once: {value}",
    fix="Keep one of the values; write a second URL as an entry of its own.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("C08",),
    fixable=Fixable.SOMETIMES,
)
