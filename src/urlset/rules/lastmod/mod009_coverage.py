"""Checks for a sitemap of ten entries or more in which some have a lastmod and more than a fifth have none.

## Why is this bad
lastmod is what engines go by when they decide what to fetch again. A sitemap without any is a decision; one with some
usually shows a kind of page that was forgotten.

## Fails
```xml
<url><loc>https://www.example.com/a</loc><lastmod>2025-06-01</lastmod></url>
<url><loc>https://www.example.com/b</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD009",
    name="lastmod-often-missing",
    severity=Severity.INFO,
    table="documents",
    where=(
        "kind = 'urlset' AND entries >= 10 AND news = 0 AND lastmod_missing < entries AND 5 * lastmod_missing > entries"
    ),
    message="Many entries have no lastmod",
    example="lastmod is missing in {lastmod_missing:,} of {entries:entry|entries}",
    fix="Add lastmod to the entries that lack it, where the date is known.",
    sources=(
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("E09",),
)
