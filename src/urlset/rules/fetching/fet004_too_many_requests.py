"""Checks for a sitemap whose address answers 429, after all repetitions.

## Why is this bad
The server limits how often it may be asked, and did not answer within the patience of urlset. Google takes 429 for a
fault of the server and slows down. It may be urlset alone that is limited.

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

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET004",
    name="too-many-requests",
    severity=Severity.WARNING,
    **listed("trouble IS NULL AND http_status = 429", value="http_status"),
    message="The server wants fewer requests from us",
    example="{url} answers {value} to us",
    fix="Ask more slowly, or exempt sitemaps from the limit.",
    advice="`--rate` sets how fast urlset sends requests. Sitemaps are few, so exempting them costs little.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
        "https://www.rfc-editor.org/rfc/rfc6585#section-4",
    ),
    checks=("A13",),
)
