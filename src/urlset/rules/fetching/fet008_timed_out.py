"""Checks for a sitemap that did not come within the time allowed: no connection, no sign of life, or not all of it.

## Why is this bad
Engines wait no longer than they must, and take the sitemap for missing. urlset's own patience is set by `--timeout`.

## Fails
```text
GET /sitemap.xml
… and nothing for 30 seconds
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
    code="FET008",
    name="timed-out",
    severity=Severity.ERROR,
    **listed("trouble IN ('timeout', 'read-timeout', 'connect-timeout')"),
    message="The sitemap did not come in time",
    example="{url}: {value}",
    fix="Generate the sitemap ahead of time instead of for each request, split it, or cache it.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A10", "F08", "A04"),
)
