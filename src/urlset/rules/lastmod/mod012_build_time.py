"""Checks for fetched sitemaps with at least ten `<lastmod>` dates, all of them within ten minutes of the check. News
sitemaps are not checked.

## Why is this bad
The server writes the time of the request into every entry, so the dates say nothing about the content. Search engines
notice that the pages have not changed, and ignore the dates of the whole site.

## Fails
```xml
<!-- fetched at 2025-06-01T10:00:05Z, with ten entries like these -->
<lastmod>2025-06-01T10:00:05Z</lastmod>
<lastmod>2025-06-01T10:00:05Z</lastmod>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD012",
    name="lastmod-is-now",
    severity=Severity.WARNING,
    table="documents",
    needs=("fetched", "lastmods-of-now"),
    where=(
        "kind = 'urlset' AND news = 0 AND host IS NOT NULL AND entries - lastmod_missing >= 10 AND "
        "lastmod_oldest > $now - INTERVAL 10 MINUTE AND lastmod_newest <= $now + INTERVAL 10 MINUTE"
    ),
    message="Every lastmod is the time of the request",
    example="the oldest lastmod is {lastmod_oldest}",
    effect="search engines learn to ignore the dates of {places:sitemap|sitemaps}",
    fix="Set lastmod to the date of each page's last significant change, or omit it.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    checks=("E08",),
)
