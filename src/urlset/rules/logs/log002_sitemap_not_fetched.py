"""Checks for sitemaps that Google, Bing, or Yandex did not request for more than 7 days (the limit `max-sitemap-days`),
counted back from the end of the logs. If the logs have no request for the sitemap, the days count from their start, and
an earlier request is possible. A search engine that requested no page of the site in the logs is not reported, nor is a
feed that only a page links to.

## Why is this bad
The search engine does not learn of new URLs and changes through this sitemap. It may not know the sitemap, its requests
may not arrive, or it may have found that the sitemap rarely changes.

## Fails
```text
The logs end on October 31; Googlebot last requested /sitemap.xml on October 12
```

## Passes
```text
66.249.66.1 - - [30/Oct/2026:07:12:09 +0000] "GET /sitemap.xml HTTP/1.1" 200 5120 "-" "Googlebot/2.1"
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOG002",
    name="sitemap-not-fetched",
    severity=Severity.WARNING,
    table="log_sitemaps",
    field="url",
    where="""
        days > $max_sitemap_days
    """,
    detail="""
        CASE WHEN last_at IS NULL THEN concat('at all in ', period)
            ELSE concat('after ', CAST(CAST(last_at AS DATE) AS VARCHAR), ' in ', period) END
    """,
    message="Sitemap not requested for more than {max_sitemap_days:day|days}",
    example="{engine} did not request {value} {detail}",
    effect="search engines do not learn what {places:sitemap lists|sitemaps list}",
    fix="Name the sitemap in robots.txt, and submit it to the search engine.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://www.sitemaps.org/protocol.html#submit_robots",
        "urlset",
    ),
    checks=("A02",),
)
