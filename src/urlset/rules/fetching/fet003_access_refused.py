"""Checks for a sitemap whose address answers 401 or 403 to us: urlset may not have it.

## Why is this bad
It may be refused to urlset alone, by a firewall that knows the crawlers of the large engines by their addresses, and so
this is no proof that Googlebot is refused. But a sitemap needs no protection, and every other engine and tool is kept
from it.

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

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET003",
    name="access-refused",
    severity=Severity.WARNING,
    **listed("trouble IS NULL AND http_status IN (401, 403)", value="http_status"),
    message="Access to the sitemap is refused to us",
    example="{url} answers {value} to us",
    fix="Let everybody fetch sitemaps, without a login or a browser challenge.",
    advice="Search Console shows whether Googlebot can fetch it.",
    sources=(
        "https://support.google.com/webmasters/answer/7451001",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A13",),
)
