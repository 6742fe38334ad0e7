"""Checks for sitemaps whose HTTPS connection fails: the certificate has expired, is for another host name, or comes
from an unknown authority, or server and client have no TLS version in common.

## Why is this bad
Browsers refuse to connect to such a host. Search engines may still read the sitemap, but visitors cannot open the
pages.

## Fails
```text
https://www.example.com/sitemap.xml
certificate for shop.example.com
```

## Passes
```text
https://www.example.com/sitemap.xml
certificate for www.example.com
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET009",
    name="tls-failed",
    severity=Severity.ERROR,
    needs=("tls",),
    **listing_fields("error_kind = 'tls'"),
    message="TLS certificate or handshake failed",
    example="{url}: {value}",
    fix=(
        "Renew the certificate. Include every host name that the server is used with, and send the intermediate "
        "certificates."
    ),
    advice="If you run your own certificate authority, pass its certificates with `--ca-bundle`.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9110#section-4.3.4",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A11", "F08", "A04"),
)
