"""Checks for a sitemap whose newest lastmod is more than a year old.

## Why is this bad
It may be an archive, and then it is right. It may also be a file that is not built any more.

## Fails
```xml
<lastmod>2019-06-01</lastmod> <!-- the newest of the file -->
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
    where="kind = 'urlset' AND lastmod_newest < $now - INTERVAL 365 DAY",
    message="Nothing has changed for a year",
    example="the newest lastmod is {lastmod_newest}",
    fix="Check that the sitemap is still built.",
    sources=(
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
        "urlset",
    ),
    checks=("E15",),
)
