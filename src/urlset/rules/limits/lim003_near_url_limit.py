"""Checks for sitemaps and sitemap indexes with at least 90% of the 50,000 entries that the protocol allows.

## Why is this bad
The file is valid, but a growing site will exceed the limit, and then a search engine may drop the whole file. Parts
that `urlset build` wrote are full by design: the next URL begins another one. They are recognized by what
builds remember, so only where the user who built them validates the files in their directory, not over HTTP.

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
    needs=("near-limit",),
    field="entries",
    where=(
        "entries >= $near_limit * $max_entries AND entries <= $max_entries AND kind IN ('urlset', "
        "'sitemapindex', 'text', 'rss', 'atom') AND is_built_part IS NOT TRUE"
    ),
    message="Sitemap is close to the entry limit of {max_entries:,}",
    example="entries: {entries:,} of at most {max_entries:,}",
    fix="Start a new file before this one reaches the limit of {max_entries:,}.",
    advice="If the generator does this automatically, you do not have to do anything.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "urlset",
    ),
    checks=("F03",),
)
