"""Checks for feeds that are not RSS 2.0, Atom 1.0, or Atom 0.3.

## Why is this bad
The sitemap protocol allows only these versions. Whether a search engine reads a feed of another version as a sitemap is
not documented. Google's documentation lists RSS and Atom 1.0.

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
    needs=("rss|atom",),
    where=(
        "kind = 'rss' AND coalesce(version, '') <> '2.0' OR kind = 'atom' AND coalesce(version, '') NOT IN "
        "('0.3', '1.0')"
    ),
    detail="CASE kind WHEN 'rss' THEN 'RSS' ELSE 'Atom' END || ' ' || coalesce(version, 'without a version')",
    message="Feed version is not supported by the sitemap protocol",
    example="feed format is {detail}",
    effect="search engines may not read {places:feed as a sitemap|feeds as sitemaps}",
    fix="Use RSS 2.0 or Atom 1.0, or write an XML sitemap.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://www.sitemaps.org/protocol.html#otherformats",
    ),
    checks=("G04",),
)
