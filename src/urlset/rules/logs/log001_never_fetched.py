"""Checks for listed URLs that no search engine requested in the period that the logs cover. The period must be at least
7 days (the limit `min-log-days`), counted from lastmod if it is later, and must have requests of search engines for the
site. A request before the first log or after the last one is not known, so a short period says little about a site that
is crawled rarely.

## Why is this bad
A page that is never fetched cannot be indexed, and a page that is no longer fetched is going to be dropped. Usually the
page is not linked, or search engines expect little of it.

## Fails
```xml
<url><loc>https://example.com/chairs</loc></url>
```
```text
No request of Googlebot, Bingbot, or another search engine for /chairs in 31 days
```

## Passes
```text
66.249.66.1 - - [05/Oct/2026:07:12:09 +0000] "GET /chairs HTTP/1.1" 200 5120 "-" "Googlebot/2.1"
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOG001",
    name="listed-not-fetched",
    severity=Severity.INFO,
    table="log_urls",
    field="url",
    where="""
        is_listed AND search_hits = 0 AND days >= $min_log_days
    """,
    message="No search engine requested the listed URL",
    example="no search engine requested {value} in {period}",
    fix="Link to the page from pages that are fetched often, or remove it from the sitemap.",
    advice="URL inspection in Search Console shows when Google last crawled a page.",
    sources=(
        "https://developers.google.com/crawling/docs/crawl-budget",
        "urlset",
    ),
    checks=("K03",),
)
