"""Checks for `<lastmod>` values that have a time but no time zone.

## Why is this bad
W3C Datetime requires a time zone with every time, and Google rejects a date without one as invalid. The official schema
accepts it, which is why validators disagree. Without a time zone, the time is off by up to 14 hours.

## Fails
```xml
<lastmod>2025-01-29T10:45:00</lastmod>
```

## Passes
```xml
<lastmod>2025-01-29T10:45:00Z</lastmod>
<lastmod>2025-01-29T10:45:00+02:00</lastmod>
<lastmod>2025-01-29</lastmod>
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.rules.wording import DATE_ELEMENT

RULE = EntryRule(
    code="MOD002",
    name="lastmod-no-timezone",
    severity=Severity.WARNING,
    table="urls",
    field="lastmod",
    needs=("lastmod-problem",),
    detail=DATE_ELEMENT,
    where="lastmod_problem = 'no-timezone'",
    message="lastmod has a time but no time zone",
    example="{detail} {value} has a time but no time zone",
    effect="search engines guess the time zone of {places:date, or ignore it|dates, or ignore them}",
    fix="Add Z or an offset such as +02:00, or remove the time.",
    advice="Add Z if the time is in UTC. Remove the time if you do not know its time zone.",
    sources=(
        "https://www.w3.org/TR/NOTE-datetime",
        "https://support.google.com/webmasters/answer/7451001",
        "https://www.sitemaps.org/protocol.html#lastmoddef",
        "https://github.com/opentargets/issues/issues/1624",
        "https://github.com/nuxt-modules/sitemap/issues/208",
    ),
    checks=("E02",),
)
