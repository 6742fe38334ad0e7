"""Checks for listed pages that return a client error, such as 404 or 410, or another status code without a page, such
as 300 or 304. PGE002 covers 401, 402, 403, 407, and 429, which may apply to urlset only.

## Why is this bad
A sitemap lists pages to index, and this one cannot be indexed. Search engines that find many such pages fetch the
sitemap less often and trust it less.

## Fails
```text
GET /chairs
HTTP/1.1 404 Not Found
```

## Passes
```text
GET /chairs
HTTP/1.1 200 OK
```
"""

from urlset.net.status import IS_REDIRECT, IS_TO_US
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE001",
    name="page-not-found",
    severity=Severity.ERROR,
    table="pages",
    needs=("maybe-not-indexable",),
    field="status",
    where=f"(status < 200 OR status BETWEEN 300 AND 499) AND status NOT {IS_TO_US} AND status NOT {IS_REDIRECT}",
    message="There is no page at this URL (404 or a similar status)",
    example="{url} returns {value}",
    fix="Remove the URL from the sitemap, or restore the page. If the page has moved, list its new URL.",
    sources=(
        "https://support.google.com/webmasters/answer/7440203",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("J01",),
)
