"""Checks for listed pages that return a server error, a status code of 500 or higher.

## Why is this bad
Search engines crawl a host more slowly after server errors, and drop the page if they last.

## Fails
```text
GET /chairs
HTTP/1.1 503 Service Unavailable
```

## Passes
```text
GET /chairs
HTTP/1.1 200 OK
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE003",
    name="page-server-error",
    severity=Severity.ERROR,
    table="pages",
    needs=("maybe-not-indexable",),
    field="status",
    where="status >= 500",
    message="Page returns a server error (500 or higher)",
    example="{url} returns {value}",
    fix="Fix the server, and run the check again. Do not change the sitemap because of a short outage.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J02",),
)
