"""Checks for a lastmod before 1990.

## Why is this bad
No page is as old. It is usually an empty date of a database, which becomes 1970-01-01 or 0001-01-01, and engines that
find dates wrong stop to trust all of them.

## Fails
```xml
<url><loc>https://www.example.com/</loc><lastmod>1970-01-01</lastmod></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD007",
    name="lastmod-implausible",
    severity=Severity.WARNING,
    table="urls",
    field="lastmod",
    only="lastmod_oldest < TIMESTAMP '1990-01-01 00:00:00'",
    where="lastmod_at < TIMESTAMP '1990-01-01 00:00:00'",
    message="Date is older than the web",
    example="lastmod {value} is before 1990",
    fix="Write the date of the last change, or leave lastmod out where it is not known.",
    sources=(
        "https://www.sitemaps.org/protocol.html#lastmoddef",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("E06",),
)
