"""Checks for a sitemap whose address answers with a status from 500 on: the server failed, or is not ready.

## Why is this bad
Engines come back later and less often, and take the sitemap for missing in the end. When it happens under load only, it
is often the sitemap itself that is too expensive to make.

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

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET002",
    name="server-error",
    severity=Severity.ERROR,
    **listed("trouble IS NULL AND http_status >= 500", value="http_status"),
    message="The server fails on the sitemap",
    example="{url} answers {value}",
    fix="Find out why the server fails; make large sitemaps beforehand.",
    advice="Start with the server's log.",
    sources=(
        "https://support.google.com/webmasters/answer/7451001",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A06", "F08", "A04"),
)
