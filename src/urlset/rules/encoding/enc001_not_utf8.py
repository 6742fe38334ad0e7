"""Checks for sitemaps that are not encoded in UTF-8, according to the byte order mark, the XML declaration, or the
bytes themselves.

## Why is this bad
The protocol requires UTF-8. urlset reads other encodings too, but a search engine may reject the file or misread every
non-ASCII character, which changes the URLs.

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

from urlset.rules.rule import CheckStep, EntryRule, Fixable, Severity

RULE = EntryRule(
    code="ENC001",
    name="encoding-not-utf-8",
    severity=Severity.ERROR,
    table="documents",
    needs=("not-utf-8",),
    field="encoding",
    where=(
        "lower(encoding) <> 'utf-8' AND coalesce(lower(declared_encoding), '') NOT IN ('us-ascii', 'ascii') "
        "AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')"
    ),
    # Browsers and urlset read a declared ISO-8859-1 as windows-1252; the file has the declared name.
    value="""CASE
        WHEN declared_encoding IS NULL OR has_bom OR lower(encoding) LIKE 'utf-16%' THEN encoding
        ELSE declared_encoding
    END""",
    message="File is not encoded in UTF-8",
    example="encoding is {value}",
    fix='Save the file as UTF-8 and declare encoding="UTF-8".',
    advice=(
        "Changing the declaration is not enough: convert the bytes as well. US-ASCII is a subset of UTF-8 and is not "
        "reported."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html",
        "https://www.sitemaps.org/protocol.html#escaping",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("B01",),
    # The specification requires UTF-8, but no criterion names it, so a finding is evidence without an effect.
    check_step=CheckStep.PARSE,
    fixable=Fixable.ALWAYS,
)
