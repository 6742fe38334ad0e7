"""Checks for sitemaps that did not arrive in time: urlset could not connect, the server sent nothing for too long, or
the response was not complete within the time limit.

## Why is this bad
Search engines have time limits too, and treat a sitemap that exceeds them as missing. `--timeout`, and the keys
`connect-timeout` and `read-timeout` of urlset.toml, set the limits of urlset.

## Fails
```text
GET /sitemap.xml
… and no response within 30 s
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
    code="FET008",
    name="timed-out",
    severity=Severity.ERROR,
    needs=("timeout|read-timeout|connect-timeout",),
    **listing_fields("error_kind IN ('timeout', 'read-timeout', 'connect-timeout')"),
    message="Request timed out",
    example="{url}: {value}",
    fix="Generate the sitemap ahead of time instead of on each request, split it, or cache it.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A10", "F08", "A04"),
)
