"""Checks for a lastmod that has a time but no timezone.

## Why is this bad
The W3C note on dates demands a timezone with a time, and Google rejects the date without one as invalid. The official
schema accepts it, which is why validators contradict each other here. Without a timezone the instant is off by up to
14 hours.

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

RULE = EntryRule(
    code="MOD002",
    name="lastmod-no-timezone",
    severity=Severity.WARNING,
    table="urls",
    field="lastmod",
    guard_traits=("lastmod-problem",),
    where="lastmod_problem = 'no-timezone'",
    message="lastmod has a time but no timezone, which W3C datetime demands and Google rejects",
    example="lastmod {value} has a time but no timezone",
    fix="Add Z or an offset such as +02:00, or leave the time out.",
    advice="Add Z if the time is in UTC. Leave the time out if its time zone is unknown.",
    sources=(
        "https://www.w3.org/TR/NOTE-datetime",
        "https://support.google.com/webmasters/answer/7451001",
        "https://www.sitemaps.org/protocol.html#lastmoddef",
        "https://github.com/opentargets/issues/issues/1624",
        "https://github.com/nuxt-modules/sitemap/issues/208",
    ),
    checks=("E02",),
)
