"""Checks for a feed that is not RSS 2.0, Atom 1.0 or Atom 0.3.

## Why is this bad
These are the versions that Google reads as sitemaps.

## Fails
```xml
<rss version="0.91">…</rss>
```

## Passes
```xml
<rss version="2.0">…</rss>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="FED001",
    name="feed-version",
    severity=Severity.WARNING,
    table="documents",
    where=(
        "kind = 'rss' AND coalesce(version, '') <> '2.0' OR kind = 'atom' AND coalesce(version, '') NOT IN "
        "('0.3', '1.0')"
    ),
    message="Feed is of a version that engines do not read as a sitemap",
    example="the feed is {kind} {version}",
    fix="Write the feed as RSS 2.0 or Atom 1.0, or write an XML sitemap.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://www.sitemaps.org/protocol.html#otherformats",
    ),
    checks=("G04",),
)
