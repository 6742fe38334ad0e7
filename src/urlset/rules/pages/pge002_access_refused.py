"""Checks for listed pages that return 401, 402, 403, 407, or 429 to urlset. Googlebot may get a different response:
many sites recognize the crawlers of search engines by their IP addresses and block other clients.

## Why is this bad
urlset could not check the page. If the server blocks everyone, the page does not belong in the sitemap.

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

from urlset.net.status import IS_TO_US
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE002",
    name="page-access-refused",
    severity=Severity.INFO,
    table="pages",
    needs=("maybe-not-indexable",),
    field="status",
    where=f"status {IS_TO_US}",
    message="Server refuses this client (401, 402, 403, 407, or 429)",
    example="{url} returns {value} to urlset",
    fix=(
        "If search engines may fetch the page, let urlset through as well (`--user-agent`, `--header`, `--auth`, "
        "`--rate`). Otherwise, remove the URL from the sitemap. 402 asks crawlers to pay."
    ),
    sources=(
        "urlset",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("J01",),
)
