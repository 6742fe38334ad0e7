"""Checks for a sitemap on a host that takes no connection: nobody listens at the port, or there is no way to its
address.

## Why is this bad
Nobody can fetch it, unless a firewall refuses urlset alone.

## Fails
```text
https://www.example.com:8443/sitemap.xml
```

## Passes
```text
https://www.example.com/sitemap.xml
```
"""

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET006",
    name="connection-failed",
    severity=Severity.ERROR,
    **listed("trouble IN ('refused', 'unreachable')"),
    message="No connection to the host",
    example="{url}: {value}",
    fix="Check the port in the URL, that the server runs, and that no firewall blocks the connection.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A10", "F08", "A04"),
)
