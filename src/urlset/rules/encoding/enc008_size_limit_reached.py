"""Checks for documents that are larger than urlset's size limit after decompression (200 MiB by default). Everything
after the limit is not read.

## Why is this bad
Such a file is far larger than the 50 MiB that the protocol allows, and a small gzip file that expands to gigabytes is a
known way to exhaust a parser's memory. Nothing after the limit was checked.

## Fails
```xml
<!-- sitemap.xml.gz: 1 MiB compressed, more than 200 MiB uncompressed -->
```

## Passes
```xml
<!-- sitemap.xml.gz: 4 MiB compressed, 48 MiB uncompressed -->
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="ENC008",
    name="size-limit-reached",
    severity=Severity.ERROR,
    kinds=("size-limit",),
    message="Document exceeds the size limit; the rest was not read",
    example="reading stopped at the size limit: {value}",
    fix="Split the sitemap into files of at most 50 MiB, and list them in a sitemap index.",
    advice=(
        "The limit applies to the uncompressed file. To read an unusually large file in full, raise "
        "`max_document_bytes`."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://github.com/advisories/GHSA-8823-qg2x-pv9f",
        "urlset",
    ),
    checks=("B07",),
)
