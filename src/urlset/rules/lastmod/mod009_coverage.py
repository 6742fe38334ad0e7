"""Checks for sitemaps with at least ten entries in which some entries have a `<lastmod>` and more than a fifth have
none. News sitemaps are not checked.

## Why is this bad
Bing and Google use `<lastmod>` to decide which pages to crawl again. Omitting `<lastmod>` everywhere can be a choice;
omitting it for some entries usually means that one type of page was forgotten.

## Fails
```xml
<!-- ten entries, five of each kind -->
<url><loc>https://www.example.com/a</loc><lastmod>2025-06-01</lastmod></url>
<url><loc>https://www.example.com/b</loc></url>
```

## Passes
```xml
<!-- ten entries, all with a lastmod -->
<url><loc>https://www.example.com/a</loc><lastmod>2025-06-01</lastmod></url>
<url><loc>https://www.example.com/b</loc><lastmod>2024-11-20</lastmod></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD009",
    name="lastmod-often-missing",
    severity=Severity.INFO,
    table="documents",
    needs=("some-lastmod-missing",),
    where=(
        "kind = 'urlset' AND entries >= 10 AND news = 0 AND lastmod_missing < entries AND 5 * lastmod_missing > entries"
    ),
    message="Many entries have no lastmod",
    example="lastmod is missing in {lastmod_missing:,} of {entries:entry|entries}",
    fix="Add lastmod to the entries that lack it, if you know the date.",
    sources=(
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("E09",),
)
