"""Checks for a lastmod that has a timezone but no time.

## Why is this bad
The W3C note knows a timezone with a time only. The official schema accepts the value, so a validation against it does
not find it; what engines make of it is not documented.

## Fails
```xml
<lastmod>2025-01-29Z</lastmod>
<lastmod>2025-01-29+02:00</lastmod>
```

## Passes
```xml
<lastmod>2025-01-29</lastmod>
<lastmod>2025-01-29T00:00:00+02:00</lastmod>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity

RULE = EntryRule(
    code="MOD006",
    name="lastmod-timezone-without-time",
    severity=Severity.WARNING,
    table="urls",
    field="lastmod",
    guard_traits=("lastmod-problem",),
    where="lastmod_problem = 'timezone-without-time'",
    message="lastmod has a timezone but no time",
    example="lastmod {value} has a timezone but no time",
    fix="Leave the timezone out, or write the time too.",
    sources=(
        "https://www.w3.org/TR/NOTE-datetime",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("E01",),
    fixable=Fixable.ALWAYS,
)
