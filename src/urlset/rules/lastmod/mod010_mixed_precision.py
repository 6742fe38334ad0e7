"""Checks for sitemaps and feeds that mix dates with a time and dates without: at least five of each, and at least a
tenth of the dates in the smaller group.

## Why is this bad
Both formats are valid. A mix can mean that two programs write the sitemap.

## Fails
```xml
<!-- five of each -->
<lastmod>2025-06-01</lastmod>
<lastmod>2025-06-01T10:00:00Z</lastmod>
```

## Passes
```xml
<lastmod>2025-06-01T10:00:00Z</lastmod>
<lastmod>2025-06-02T11:00:00Z</lastmod>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD010",
    name="lastmod-mixed-precision",
    severity=Severity.HINT,
    table="documents",
    value="lastmod_days",
    needs=("mixed-lastmods",),
    where="""
        kind <> 'sitemapindex' AND least(lastmod_days, lastmod_times) >= 5
        AND 10 * least(lastmod_days, lastmod_times) >= lastmod_days + lastmod_times
    """,
    message="Some dates have a time and some do not",
    example="{value} without a time, {lastmod_times} with a time",
    fix="Write all dates with a time, or all without a time.",
    sources=(
        "https://www.w3.org/TR/NOTE-datetime",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    checks=("E10",),
)
