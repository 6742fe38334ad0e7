"""Checks for `<lastmod>` dates without a time of day.

## Why is this bad
Bing asks for the date and the time of the last change, so that it can tell which of several changes on one day it has
already seen. The protocol allows a date alone, and other search engines accept it.

## Fails
```xml
<lastmod>2025-06-01</lastmod>
```

## Passes
```xml
<lastmod>2025-06-01T10:00:05Z</lastmod>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD019",
    name="lastmod-no-time",
    severity=Severity.HINT,
    profile="bing",
    table="urls",
    field="lastmod",
    where="lastmod_precision IN ('year', 'month', 'day')",
    message="lastmod has no time",
    example="{value} has no time",
    fix="Write the date and time of the last change, with a time zone, such as `2025-06-01T10:00:05Z`.",
    advice="Do not add an invented time: if only the day is known, keep the date.",
    sources=(
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    checks=("E10",),
)
