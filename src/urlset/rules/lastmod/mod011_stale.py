"""Checks for sitemaps whose newest `<lastmod>` is more than 365 days old.

## Why is this bad
If the sitemap is an archive, the date is correct. Otherwise the file may no longer be rebuilt.

## Fails
```xml
<lastmod>2019-06-01</lastmod> <!-- the newest date in the file -->
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD011",
    name="lastmod-stale",
    severity=Severity.HINT,
    table="documents",
    needs=("old-lastmods",),
    where="kind = 'urlset' AND lastmod_newest < $now - INTERVAL 365 DAY",
    message="Newest lastmod is more than a year old",
    example="the newest lastmod is {lastmod_newest}",
    fix="Check that the sitemap is still being rebuilt.",
    sources=(
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
        "urlset",
    ),
    quiet=True,
    checks=("E15",),
)
