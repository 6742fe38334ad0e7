"""Checks for sitemaps, feeds, and llms.txt files that differ from the built ones in more than line breaks.

## Why is this bad
Search engines read the served file: one that is old, cut off, or made by a plugin of the host lists other URLs.

## Fails
```text
dist/sitemap.xml: 48,210 bytes
GET https://example.com/sitemap.xml: the first 16,384 of them
```

## Passes
```text
dist/sitemap.xml
GET https://example.com/sitemap.xml: the same bytes
```
"""

from urlset.rules.rule import Consequence, EntryRule, Severity

RULE = EntryRule(
    code="DEP009",
    name="built-file-differs",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'file'",
    message="Sitemap, feed, or llms.txt differs from the build",
    example="{about:whole}",
    effect="search engines read other URLs and dates in {places:file|files}",
    leads_to=Consequence.FILE,
    fix="Deploy the file again, and clear the cache of the CDN. If a plugin of the host writes the file, turn it off.",
    sources=("https://www.sitemaps.org/protocol.html",),
    needs_server=True,
    checks=("A04",),
)
