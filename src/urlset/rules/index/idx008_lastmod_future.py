"""Checks for `<lastmod>` dates in an index that are more than one day after the time of the check. The rule tolerates
one day because of time zones and clock differences.

## Why is this bad
A sitemap cannot have changed in the future. Search engines ignore such dates, and may ignore the other dates as well.

## Fails
```xml
<sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2999-01-01</lastmod></sitemap>
```

## Passes
```xml
<sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2025-06-01</lastmod></sitemap>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="IDX008",
    name="child-lastmod-future",
    severity=Severity.WARNING,
    table="children",
    field="lastmod",
    needs=("future-lastmod",),
    where="lastmod_at > $now + INTERVAL 1 DAY",
    message="lastmod of a child sitemap is in the future",
    example="lastmod {value} is in the future",
    effect="search engines may ignore {places:date|dates}, and fetch child sitemaps too late",
    fix="Set lastmod to the date on which the sitemap last changed.",
    sources=(
        "https://www.sitemaps.org/protocol.html#lastmoddef",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    checks=("E05",),
)
