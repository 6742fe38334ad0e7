"""Checks for a sitemap in which a hundred or more entries have a lastmod and all of them the same.

## Why is this bad
A site does not change all of its pages in one moment: the generator writes the time of the build. Engines compare the
dates with what they find and disregard those of a site where they are not true.

## Fails
```xml
<url><loc>https://www.example.com/a</loc><lastmod>2025-06-01</lastmod></url>
<url><loc>https://www.example.com/b</loc><lastmod>2025-06-01</lastmod></url>
<!-- … and a hundred more -->
```

## Passes
```xml
<url><loc>https://www.example.com/a</loc><lastmod>2025-06-01</lastmod></url>
<url><loc>https://www.example.com/b</loc><lastmod>2024-11-20</lastmod></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD008",
    name="lastmod-all-equal",
    severity=Severity.WARNING,
    table="documents",
    where="entries - lastmod_missing >= 100 AND kind = 'urlset' AND lastmod_oldest = lastmod_newest",
    message="All dates are equal",
    example="every lastmod is {lastmod_newest}",
    fix="Write the date of each page's last real change, or leave lastmod out.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    checks=("E07",),
)
