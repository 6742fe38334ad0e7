"""Checks for a listed page that took more than three seconds, redirects included, to come.

## Why is this bad
Engines fetch fewer pages from a slow host. The time depends on your own connection and on how many pages were asked
for at once, too.

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
    message="The page comes slowly",
    example="{url} took {value} ms",
    fix="Look whether the server is slow for everybody, and keep made pages in a cache.",
    sources=(
        "urlset",
        "https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget",
    ),
    checks=("J16",),
)
