"""Checks for a listed page that answers with a client error: 404, 410 and the like. Answers that may be meant for us
alone have a rule of their own, PGE002.

## Why is this bad
A sitemap lists pages that are to be indexed, and this one cannot be. Engines that meet many of them fetch the sitemap
less often and trust it less.

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

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE001",
    name="page-not-found",
    severity=Severity.ERROR,
    table="pages",
    field="status",
    where="status BETWEEN 400 AND 499 AND status NOT IN (401, 403, 407, 429)",
    message="The page answers with a client error",
    example="{url} answers {value}",
    fix="Remove the URL from the sitemap, or put the page back; if it has moved, list its new URL.",
    sources=(
        "https://support.google.com/webmasters/answer/7440203",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("J01",),
)
