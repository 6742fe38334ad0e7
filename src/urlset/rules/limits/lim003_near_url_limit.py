"""Checks for a sitemap or index with at least 90 % of the 50,000 entries that it may have.

## Why is this bad
It is valid. A site that grows will pass the limit, though, and then the whole file may be dropped.

## Fails
```xml
<!-- 47,000 times -->
<url><loc>https://example.com/…</loc></url>
```

## Passes
```xml
<!-- 40,000 times -->
<url><loc>https://example.com/…</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LIM003",
    name="near-url-limit",
    severity=Severity.INFO,
    table="documents",
    field="entries",
    where=(
        "entries >= $near_limit * $max_entries AND entries <= $max_entries AND kind IN ('urlset', "
        "'sitemapindex', 'text', 'rss', 'atom')"
    ),
    message="The sitemap is near the limit of {max_entries:entry|entries}",
    example="the document has {entries:,} of at most {max_entries:entry|entries}",
    fix="Make sure that a new file is begun before the limit of {max_entries:entry|entries}.",
    advice="If the generator does so by itself, nothing needs to be done.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "urlset",
    ),
    checks=("F03",),
)
