"""Checks for a document that is larger than the bound up to which urlset unpacks and reads (200 MiB unless set
otherwise). Everything after the bound is left unread.

## Why is this bad
Such a file is far beyond the 50 MB that the protocol allows, and a small gzip file that unpacks to gigabytes is a
known way to exhaust a reader's memory. What follows the bound was not checked.

## Fails
```xml
<!-- sitemap.xml.gz: 1 MB as sent, more than 200 MiB unpacked -->
```

## Passes
```xml
<!-- sitemap.xml.gz: 4 MB as sent, 48 MB unpacked -->
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="ENC008",
    name="size-bound-reached",
    severity=Severity.ERROR,
    kinds=("size-limit",),
    message="The document is larger than the bound on its size; what follows was not read",
    example="reading stopped at the bound: {value}",
    fix="Split the sitemap into files below 50 MB and list them in an index.",
    advice="The limit applies to the unpacked file. To read an unusual file whole, raise the bound.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://github.com/advisories/GHSA-8823-qg2x-pv9f",
        "urlset",
    ),
    checks=("B07",),
)
