"""Checks for sitemaps and sitemap indexes larger than 52,428,800 bytes (50 MiB) before compression.

## Why is this bad
This is the limit of the protocol, and compression does not change it. Search Console and Yandex report larger files as
errors. With hreflang annotations and images, a file reaches it long before it has 50,000 URLs.

## Fails
```xml
<!-- 52,428,801 bytes uncompressed -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```

## Passes
```xml
<!-- 52,428,800 bytes uncompressed -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity

RULE = EntryRule(
    code="LIM002",
    name="too-large",
    severity=Severity.ERROR,
    table="documents",
    needs=("near-limit",),
    field="bytes",
    where="bytes > $max_bytes AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')",
    message="Sitemap is larger than {max_bytes:size} uncompressed",
    example="{bytes:byte|bytes} uncompressed",
    fix="Split the sitemap into files of at most {max_bytes:exact-size}, and list them in a sitemap index.",
    advice="Split by size as well as by the number of URLs.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://support.google.com/webmasters/answer/7451001",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.FAIL,
    checks=("F02", "F05"),
    fixable=Fixable.SOMETIMES,
)
