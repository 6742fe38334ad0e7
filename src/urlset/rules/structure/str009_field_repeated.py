"""Checks for fields that occur more than once in an entry or record although only one is allowed, and for entries with
several URLs.

## Why is this bad
Readers use the first value, the last, or none, so it is unclear which one counts. Search Console reports too many tags;
Yandex reports that a tag was found more than once. urlset reads each additional URL as a separate entry, with the
fields that follow it.

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

from urlset.rules.rule import AnomalyRule, Consequence, Fixable, Severity

RULE = AnomalyRule(
    code="STR009",
    name="field-repeated",
    severity=Severity.ERROR,
    leads_to=Consequence.ENTRIES,
    detail="CASE kind WHEN 'several-urls' THEN evidence ELSE field || ' occurs more than once: ' || evidence END",
    kinds=("repeated-field", "several-urls"),
    message="Field occurs more than once",
    example="{detail}",
    fix="Keep one of the values. Write a second URL as a separate entry.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("C08",),
    fixable=Fixable.SOMETIMES,
)
