"""Checks for listed URLs whose lastmod changed more than 14 days (the limit `max-refetch-days`) before the logs end,
and that no search engine requested since, although one had requested it before. lastmod is the one of the last run in
the store; a date without a time counts from its first second. `urlset logs` also shows the median time that each
crawler takes to come back.

## Why is this bad
Search results show the old version. Search engines ignore lastmod if it often changes without a change of the page, so
they may have stopped trusting the dates of this site.

## Fails
```xml
<url><loc>https://example.com/chairs</loc><lastmod>2026-10-10</lastmod></url>
```
```text
The logs end on October 31; the last request of a search engine for /chairs was on October 3
```

## Passes
```text
66.249.66.1 - - [12/Oct/2026:07:12:09 +0000] "GET /chairs HTTP/1.1" 200 5120 "-" "Googlebot/2.1"
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOG005",
    name="not-fetched-since-change",
    severity=Severity.INFO,
    table="log_urls",
    field="url",
    where="""
        is_listed AND searched_at < lastmod_at AND days > $max_refetch_days
    """,
    detail="concat(CAST(CAST(searched_at AS DATE) AS VARCHAR), ', before its lastmod ', "
    "CAST(CAST(lastmod_at AS DATE) AS VARCHAR))",
    message="No search engine requested the URL since lastmod changed",
    example="search engines last requested {value} on {detail}; the logs cover {period}",
    fix="Change lastmod only if the page changes, and check that search engines fetch the sitemap.",
    sources=(
        "https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("E13",),
)
