"""Checks for a fetched sitemap with ten dates or more, the oldest of which is less than ten minutes old.

## Why is this bad
The server writes the time of the request into every entry. Engines notice that the pages have not changed and
disregard the dates of the site.

## Fails
```xml
<!-- fetched at 2025-06-01T10:00:05Z -->
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
    where=(
        "kind = 'urlset' AND news = 0 AND host IS NOT NULL AND entries - lastmod_missing >= 10 AND "
        "lastmod_oldest > $now - INTERVAL 10 MINUTE AND lastmod_newest <= $now + INTERVAL 10 MINUTE"
    ),
    message="All dates are the moment of the check",
    example="the oldest lastmod is {lastmod_oldest}",
    fix="Write the date of each page's last real change, or leave lastmod out.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    checks=("E08",),
)
