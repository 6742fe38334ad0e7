"""Checks for a sitemap or index of at least 90 % of the 52,428,800 bytes that it may have before compression.

## Why is this bad
It is valid. One more language version or image for each page can take it past the limit, and then the whole file may
be dropped.

## Fails
```xml
<!-- 50,000,000 bytes unpacked -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```

## Passes
```xml
<!-- 40,000,000 bytes unpacked -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LIM004",
    name="near-size-limit",
    severity=Severity.INFO,
    table="documents",
    field="bytes",
    where=(
        "bytes >= $near_limit * $max_bytes AND bytes <= $max_bytes AND kind IN ('urlset', 'sitemapindex', "
        "'text', 'rss', 'atom')"
    ),
    message="The sitemap is near the limit of {max_bytes:size} before compression",
    example="the document has {bytes:,} of at most {max_bytes:byte|bytes}",
    fix="Make sure that a new file is begun before the limit of {max_bytes:size}.",
    advice="If the generator does so by itself, nothing needs to be done.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "urlset",
    ),
    checks=("F03",),
)
