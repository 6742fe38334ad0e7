"""Checks for a sitemap that is written in another encoding than UTF-8, whether a byte order mark, the XML declaration
or the bytes say so.

## Why is this bad
The protocol demands UTF-8. urlset reads such a file all the same, but an engine may refuse it, or read every
character beyond ASCII as another one, so that URLs change.

## Fails
```xml
<?xml version="1.0" encoding="ISO-8859-1"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/café</loc></url>
</urlset>
```

## Passes
```xml
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/café</loc></url>
</urlset>
```
"""

from urlset.rules.rule import EntryRule, Fixable, Severity

RULE = EntryRule(
    code="ENC001",
    name="encoding-not-utf-8",
    severity=Severity.ERROR,
    table="documents",
    field="encoding",
    where=(
        "lower(encoding) <> 'utf-8' AND coalesce(lower(declared_encoding), '') NOT IN ('us-ascii', 'ascii') "
        "AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')"
    ),
    message="The file is not encoded in UTF-8",
    example="the file is encoded in {encoding}",
    fix='Save the file as UTF-8 and declare encoding="UTF-8".',
    advice=(
        "Changing the declaration alone is not enough: the bytes have to be converted as well. US-ASCII is a "
        "subset of UTF-8 and is not reported."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html",
        "https://www.sitemaps.org/protocol.html#escaping",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("B01",),
    fixable=Fixable.ALWAYS,
)
