"""Checks for sitemaps whose URL returns 401, 402, 403, or 407 to urlset.

## Why is this bad
The response may apply to this client only: a firewall that recognizes the crawlers of large search engines by their IP
addresses can block urlset and let Googlebot through. So this does not prove that Googlebot is blocked. But a sitemap
does not need protection, and blocking it keeps out other search engines and tools.

## Fails
```text
GET /sitemap.xml
HTTP/1.1 403 Forbidden
```

## Passes
```text
GET /sitemap.xml
HTTP/1.1 200 OK
```
"""

from urlset.net.status import IS_TO_US
from urlset.rules.listed import listing_fields
from urlset.rules.rule import Consequence, SetRule, Severity

RULE = SetRule(
    code="FET003",
    name="access-refused",
    severity=Severity.WARNING,
    leads_to=Consequence.FILE,
    needs=("http-401|http-402|http-403|http-407",),
    **listing_fields(f"error_kind IS NULL AND http_status {IS_TO_US} AND http_status != 429", value="http_status"),
    message="Server refuses this client (401, 402, 403, or 407)",
    example="{url} returns {value} to urlset",
    fix="Allow everyone to fetch sitemaps, without a login or a browser challenge.",
    advice="Search Console shows whether Googlebot can fetch the sitemap.",
    sources=(
        "https://support.google.com/webmasters/answer/7451001",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A13",),
)
