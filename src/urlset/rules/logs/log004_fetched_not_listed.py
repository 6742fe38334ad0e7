"""Checks for sections of the site with unlisted pages that crawlers fetch often: at least 10 requests (the limit
`min-unlisted-hits`) in the period that the logs cover, for URLs without parameters that returned 2xx or 304. A section
is the first folder of the path. Images, scripts, and other files that are not pages do not count, and impostors do not
count. The logs do not tell whether the pages can be indexed.

## Why is this bad
Crawlers find the pages worth fetching, but the sitemap does not list them, so changes are found late. If they should
not be indexed, crawling them delays the pages that should.

## Fails
```text
66.249.66.1 - - [05/Oct/2026:07:12:09 +0000] "GET /archive/2019-chairs HTTP/1.1" 200 5120 "-" "Googlebot/2.1"
```

## Passes
```xml
<url><loc>https://example.com/archive/2019-chairs</loc></url>
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="LOG004",
    name="fetched-not-listed",
    severity=Severity.INFO,
    table="log_urls",
    needs=("log_urls",),
    query="""
        SELECT
            min(document_id) AS document_id, CAST(NULL AS INTEGER) AS ordinal, CAST(NULL AS INTEGER) AS line,
            CAST(NULL AS INTEGER) AS col, concat(site, section) AS url, concat(site, section) AS value,
            count(*) AS urls, CAST(sum(good_hits) AS BIGINT) AS hits, min(url) AS example_url, min(period) AS period
        FROM log_urls
        WHERE NOT is_listed AND is_page AND NOT has_parameters AND good_hits > 0
        GROUP BY site, section
        HAVING sum(good_hits) >= $min_unlisted_hits
    """,
    scope=RuleScope.RUN,
    message="Crawlers often fetch pages that no sitemap lists",
    example="{hits:request|requests} for {urls:unlisted URL|unlisted URLs} below {value} in {period}, such as "
    "{example_url}",
    fix="List the pages, or exclude them from indexing with noindex.",
    sources=(
        "https://developers.google.com/crawling/docs/crawl-budget",
        "urlset",
    ),
    checks=("K04",),
)
