"""Checks for listed pages that took more than 3 s to fetch, including redirects.

## Why is this bad
Search engines crawl fewer pages of a slow host. The time also depends on your own connection and on the number of
concurrent requests.

## Fails
```text
GET /chairs
… complete after 5.2 s
```

## Passes
```text
GET /chairs
… complete after 0.2 s
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE020",
    name="page-slow",
    severity=Severity.HINT,
    table="pages",
    field="elapsed_ms",
    value="CAST(round(elapsed_ms) AS BIGINT)",
    where="status BETWEEN 200 AND 299 AND elapsed_ms > 3000",
    message="Page is slow to load",
    example="{url} took {value} ms",
    fix="Check whether the server is slow for everyone, and cache generated pages.",
    sources=(
        "urlset",
        "https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget",
    ),
    checks=("J16",),
)
