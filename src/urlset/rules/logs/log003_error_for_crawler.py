"""Checks for listed URLs at which a verified crawler got an error (4xx or 5xx) in the period that the logs cover. The
error may be fixed since then. 403 and 429 at URLs that robots.txt allows are left to LOG009, which reports them per
crawler.

## Why is this bad
Search engines drop URLs that return 404 or 410, fetch a site more slowly if it returns 5xx, and in the end drop these
URLs, too. A page can work in a browser and for urlset, and still fail for a crawler.

## Fails
```xml
<url><loc>https://example.com/chairs</loc></url>
```
```text
66.249.66.1 - - [05/Oct/2026:07:12:09 +0000] "GET /chairs HTTP/1.1" 404 153 "-" "Googlebot/2.1"
```

## Passes
```text
66.249.66.1 - - [05/Oct/2026:07:12:09 +0000] "GET /chairs HTTP/1.1" 200 5120 "-" "Googlebot/2.1"
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOG003",
    name="error-for-crawler",
    severity=Severity.WARNING,
    table="log_urls",
    field="url",
    where="""
        is_listed AND error_hits > 0
    """,
    message="Verified crawler got an error at a listed URL",
    example="{value} returned {error_statuses} to {error_agents}: {error_hits:,} of "
    "{verified_hits:verified request|verified requests} in {period}",
    effect="search engines drop {places:listed URL that keeps returning errors|listed URLs that keep returning errors}",
    fix="Correct the page, or remove the URL from the sitemap.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/http-network-errors",),
    of_verified=True,
    checks=("J01", "J02"),
)
