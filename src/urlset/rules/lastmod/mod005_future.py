"""Checks for a lastmod more than one day after the time of the check. The day is granted because a date without a time
may already be tomorrow's elsewhere in the world, and because clocks differ.

## Why is this bad
A page cannot have changed in the future. Bing rejects such timestamps, and Google uses lastmod only on sites where it
is consistently accurate. Most often it is the date of an event or of a planned publication.

## Fails
```xml
<lastmod>2038-01-19</lastmod>
```

## Passes
```xml
<lastmod>2025-01-19</lastmod>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD005",
    name="lastmod-future",
    severity=Severity.WARNING,
    table="urls",
    field="lastmod",
    only="lastmod_newest > $now + INTERVAL '1' DAY",
    where="lastmod_at > $now + INTERVAL '1' DAY",
    message="lastmod lies in the future",
    example="lastmod {value} lies in the future",
    fix="Write when the page last changed, not a date in the future.",
    advice=(
        "The date that a page is about is not the date of its last change. Leave pages out until they are published."
    ),
    sources=(
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://www.sitemaps.org/protocol.html#lastmoddef",
    ),
    checks=("E05",),
)
