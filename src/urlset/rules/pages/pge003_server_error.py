"""Checks for a listed page that answers with a fault of the server, 500 to 599.

## Why is this bad
Engines fetch more slowly from a host that answers so, and drop the page when it lasts.

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
    field="status",
    where="status BETWEEN 500 AND 599",
    message="The page answers with a fault of the server",
    example="{url} answers {value}",
    fix="Mend the server, and look again: a short fault is no reason to change the sitemap.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J02",),
)
