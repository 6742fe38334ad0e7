"""ENC008: size-bound-reached

## What
A document that is larger than the bound up to which urlset unpacks and reads (200 MiB unless set otherwise).
Everything after the bound is left unread.

## Why
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

## Fix
Split the sitemap into files of less than 50 MB (unpacked) and list them in a sitemap index. To read an unusual file
whole, raise the bound.

## Sources
- https://www.sitemaps.org/protocol.html#index
- https://github.com/advisories/GHSA-8823-qg2x-pv9f
- urlset
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
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://github.com/advisories/GHSA-8823-qg2x-pv9f",
        "urlset",
    ),
    checks=("B07",),
)
