"""Checks for sitemaps and sitemap indexes with at least 90% of the 52,428,800 bytes that the protocol allows before
compression.

## Why is this bad
The file is valid, but one more hreflang annotation or image per page can push it over the limit, and then a search
engine may drop the whole file.

## Fails
```xml
<!-- 50,000,000 bytes uncompressed -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```

## Passes
```xml
<!-- 40,000,000 bytes uncompressed -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LIM004",
    name="near-size-limit",
    severity=Severity.INFO,
    table="documents",
    needs=("near-limit",),
    field="bytes",
    where=(
        "bytes >= $near_limit * $max_bytes AND bytes <= $max_bytes AND kind IN ('urlset', 'sitemapindex', "
        "'text', 'rss', 'atom')"
    ),
    message="Sitemap is close to the limit of {max_bytes:size}",
    example="{bytes:,} of at most {max_bytes:byte|bytes} uncompressed",
    fix="Start a new file before this one is larger than {max_bytes:size}.",
    advice="If the generator does this automatically, you do not have to do anything.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "urlset",
    ),
    checks=("F03",),
)
