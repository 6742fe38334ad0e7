"""Checks for sitemaps on a host that does not accept connections: nothing listens on the port, or there is no route to
its IP address.

## Why is this bad
Nobody can fetch the sitemap, except where a firewall blocks only urlset.

## Fails
```text
https://www.example.com:8443/sitemap.xml
```

## Passes
```text
https://www.example.com/sitemap.xml
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET006",
    name="connection-failed",
    severity=Severity.ERROR,
    needs=("refused|unreachable",),
    **listing_fields("error_kind IN ('refused', 'unreachable')"),
    message="Connection to the host failed",
    example="{url}: {value}",
    fix=(
        "Check that the port in the URL is correct, that the server is running, and that no firewall blocks the "
        "connection."
    ),
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A10", "F08", "A04"),
)
