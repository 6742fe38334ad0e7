"""Checks for sitemaps whose URL returns a status code of 500 or higher: the server failed or is not ready.

## Why is this bad
Search engines retry later and less often, and eventually treat the sitemap as missing. If it happens only under load,
the sitemap itself is often too expensive to generate.

## Fails
```text
GET /sitemap.xml
HTTP/1.1 503 Service Unavailable
```

## Passes
```text
GET /sitemap.xml
HTTP/1.1 200 OK
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET002",
    name="server-error",
    severity=Severity.ERROR,
    needs=("http-5xx",),
    **listing_fields("error_kind IS NULL AND http_status >= 500", value="http_status"),
    message="Sitemap URL returns a server error (5xx)",
    example="{url} returns {value}",
    fix="Find out why the server fails. Generate large sitemaps ahead of time.",
    advice="Start with the server log.",
    sources=(
        "https://support.google.com/webmasters/answer/7451001",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A06", "F08", "A04"),
)
