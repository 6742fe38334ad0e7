"""Checks for a listed page that is refused to us: 401, 403, 407 or 429. That says nothing of how Googlebot is answered:
many sites let the crawlers of engines through by their addresses and keep others out.

## Why is this bad
The page could not be looked at, so nothing is known of it. If everybody is refused, it does not belong into the
sitemap.

## Fails
```text
GET /chairs
HTTP/1.1 403 Forbidden
```

## Passes
```text
GET /chairs
HTTP/1.1 200 OK
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE002",
    name="page-refused-to-us",
    severity=Severity.INFO,
    table="pages",
    field="status",
    where="status IN (401, 403, 407, 429)",
    message="The page is refused to us",
    example="{url} answers {value} to us",
    fix=(
        "If engines may fetch it, let this check through as well (`--user-agent`, `--header`, `--auth`, `--rate`); "
        "if not, remove it."
    ),
    sources=(
        "urlset",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("J01",),
)
