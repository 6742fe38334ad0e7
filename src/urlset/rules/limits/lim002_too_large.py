"""Checks for a sitemap or index of more than 52,428,800 bytes (50 MB) before compression.

## Why is this bad
That is the limit of the protocol; compressing the file does not change it. Search Console and Yandex report the size
as an error. Language versions and images make a file reach it long before it has 50,000 URLs.

## Fails
```xml
<!-- 52,428,801 bytes unpacked -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```

## Passes
```xml
<!-- 52,428,800 bytes unpacked -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity

RULE = EntryRule(
    code="LIM002",
    name="too-large",
    severity=Severity.ERROR,
    table="documents",
    field="bytes",
    where="bytes > $max_bytes AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')",
    message="The sitemap is larger than {max_bytes:exact-size} before compression",
    example="the document has {bytes:byte|bytes} before compression",
    fix="Split the sitemap into files of at most {max_bytes:size} and list them in an index.",
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
