"""Checks for `<lastmod>` dates more than one day after the time of the check. The rule tolerates one day because a date
without a time may already be tomorrow in other time zones, and because clocks differ.

## Why is this bad
A page cannot have changed in the future. Bing rejects such timestamps, and Google uses `<lastmod>` only for sites where
it is consistently accurate. It is usually the date of an event or of a scheduled publication.

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
from urlset.rules.wording import DATE_ELEMENT

RULE = EntryRule(
    code="MOD005",
    name="lastmod-future",
    severity=Severity.WARNING,
    table="urls",
    field="lastmod",
    needs=("future-lastmod",),
    detail=DATE_ELEMENT,
    where="lastmod_at > $now + INTERVAL '1' DAY",
    message="lastmod is in the future",
    example="{detail} {value} is in the future",
    effect="search engines ignore {places:date|dates}, and may stop trusting the other dates of the sitemap",
    fix="Set lastmod to the date on which the page last changed, not to a date in the future.",
    advice=(
        "The date of an event on the page is not the date of its last change. Leave pages out until they are published."
    ),
    sources=(
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://www.sitemaps.org/protocol.html#lastmoddef",
    ),
    checks=("E05",),
)
