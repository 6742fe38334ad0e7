"""Checks for `<lastmod>` values that have a time zone but no time.

## Why is this bad
W3C Datetime only allows a time zone with a time. The official schema accepts the value, so schema validation does not
catch it. What search engines do with it is not documented.

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
from urlset.rules.wording import DATE_ELEMENT

RULE = EntryRule(
    code="MOD006",
    name="lastmod-timezone-without-time",
    severity=Severity.WARNING,
    table="urls",
    field="lastmod",
    needs=("lastmod-problem",),
    detail=DATE_ELEMENT,
    where="lastmod_problem = 'timezone-without-time'",
    message="lastmod has a time zone but no time",
    example="{detail} {value} has a time zone but no time",
    effect="search engines may ignore {places:date|dates}",
    fix="Remove the time zone, or add a time.",
    sources=(
        "https://www.w3.org/TR/NOTE-datetime",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("E01",),
    fixable=Fixable.ALWAYS,
)
