"""Checks for a lastmod in an index that is more than a day ahead of the check; the day is for clocks and time zones.

## Why is this bad
A change cannot have happened yet. Engines disregard such dates and may disregard the others with them.

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
    only="lastmod_newest > $now + INTERVAL 1 DAY",
    where="lastmod_at > $now + INTERVAL 1 DAY",
    message="Date of a sitemap is in the future",
    example="lastmod {value} is in the future",
    fix="Write when the sitemap last changed.",
    sources=(
        "https://www.sitemaps.org/protocol.html#lastmoddef",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    checks=("E05",),
)
