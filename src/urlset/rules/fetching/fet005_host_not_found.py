"""Checks for sitemaps on a host whose name cannot be resolved.

## Why is this bad
Nobody can fetch the sitemap. The host name is misspelled, the domain has expired, or its name servers do not respond.

## Fails
```text
https://ww.example.com/sitemap.xml
```

## Passes
```text
https://www.example.com/sitemap.xml
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET005",
    name="host-not-found",
    severity=Severity.ERROR,
    needs=("dns",),
    **listing_fields("error_kind = 'dns'"),
    message="Host name cannot be resolved",
    example="{url}: {value}",
    fix="Correct the host name, or its DNS record.",
    advice="If the name is correct, ask your DNS provider.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A10", "F08", "A04"),
)
