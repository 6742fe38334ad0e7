"""Checks for sitemaps whose connection closed before the response was complete.

## Why is this bad
The sitemap is incomplete, and search engines may drop the rest or all of it. Often, a proxy in front of the server cuts
off long responses, or the program that generates the sitemap runs out of time or memory.

## Fails
```text
Content-Length: 5242880
… and the connection closes after 1048576 bytes
```

## Passes
```text
Content-Length: 5242880
… and the body has 5242880 bytes
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET007",
    name="connection-lost",
    severity=Severity.ERROR,
    needs=("reset|cut-off",),
    **listing_fields("error_kind IN ('reset', 'cut-off')"),
    message="Connection closed before the response was complete",
    example="{url}: {value}",
    fix="Find out what cuts off the response. Generate large sitemaps ahead of time.",
    advice="Check the logs of the server and of each proxy in front of it, and split large sitemaps.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A10", "F08", "A04"),
)
