"""Checks for feeds that are used as sitemaps.

## Why is this bad
Google and Bing read feeds as sitemaps; Yandex reads only XML and text sitemaps. A feed also lists only the most recent
pages.

## Fails
```xml
<rss version="2.0">…</rss>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="FED002",
    name="feed-unsupported-by-yandex",
    severity=Severity.ERROR,
    table="documents",
    needs=("rss|atom",),
    where="kind IN ('rss', 'atom')",
    message="Yandex does not support feeds as sitemaps",
    example="the sitemap is a feed ({kind})",
    fix="Add an XML or text sitemap that lists all pages.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    profile="yandex",
    checks=("G09", "G08"),
)
