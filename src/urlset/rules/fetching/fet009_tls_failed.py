"""Checks for a sitemap whose https connection is not to be trusted: the certificate has expired, is for another name or
comes from nobody known, or the two sides have no version in common.

## Why is this bad
Browsers refuse such a host. Engines may read it nonetheless, but its visitors cannot.

## Fails
```text
https://www.example.com/sitemap.xml
certificate of shop.example.com
```

## Passes
```text
https://www.example.com/sitemap.xml
certificate of www.example.com
```
"""

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET009",
    name="tls-failed",
    severity=Severity.ERROR,
    **listed("trouble = 'tls'"),
    message="The https connection is not to be trusted",
    example="{url}: {value}",
    fix="Renew the certificate, with every name that the server answers to and its intermediate certificates.",
    advice="For a certificate authority of your own, pass its certificates with `--ca-bundle`.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9110#section-4.3.4",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A11", "F08", "A04"),
)
