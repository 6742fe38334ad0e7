"""STR024: field-oversize

## What
A lastmod, changefreq or priority of more than 100 characters.

## Why
Yandex reads at most 100 bytes of each and reports more as an error; no valid value comes near it.

## Fails
```xml
<url><loc>https://www.example.com/</loc><priority>0.50000…(101 characters)</priority></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```

## Fix
Write the value of the field and nothing else.

## Sources
- https://yandex.com/support/webmaster/error-dictionary/sitemap.html
"""

from urlset.rules.rule import Rule, Scope, Severity

RULE = Rule(
    code="STR024",
    name="field-oversize",
    severity=Severity.WARNING,
    scope=Scope.ENTRY,
    table="urls",
    field="lastmod",
    traits=("long-field",),
    value=(
        "CASE WHEN length(lastmod) > 100 THEN lastmod WHEN length(changefreq) > 100 THEN changefreq ELSE priority END"
    ),
    where="length(lastmod) > 100 OR length(changefreq) > 100 OR length(priority) > 100",
    message="An optional field is longer than 100 characters",
    example="{value}",
    fix="Write the value of the field and nothing else.",
    sources=("https://yandex.com/support/webmaster/error-dictionary/sitemap.html",),
    checks=("C17",),
)
