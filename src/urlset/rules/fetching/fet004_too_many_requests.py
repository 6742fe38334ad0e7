"""Checks for sitemaps whose URL returns 429, even after retries.

## Why is this bad
The server limits how often a client may send requests, and urlset ran out of retries or time. Google treats 429 as a
server error and slows down its crawling. The limit may apply to urlset only.

## Fails
```text
GET /sitemap.xml
HTTP/1.1 429 Too Many Requests
```

## Passes
```text
GET /sitemap.xml
HTTP/1.1 200 OK
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import Consequence, SetRule, Severity

RULE = SetRule(
    code="FET004",
    name="too-many-requests",
    severity=Severity.WARNING,
    leads_to=Consequence.FILE,
    needs=("http-429",),
    **listing_fields("error_kind IS NULL AND http_status = 429", value="http_status"),
    message="Server rate-limits this client (429)",
    example="{url} returns {value} to urlset",
    fix="Send requests more slowly, or exempt sitemaps from the rate limit.",
    advice=(
        "`--rate` limits the requests that urlset sends per second. A site has few sitemaps, so exempting them "
        "costs little."
    ),
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
        "https://www.rfc-editor.org/rfc/rfc6585#section-4",
    ),
    checks=("A13",),
)
