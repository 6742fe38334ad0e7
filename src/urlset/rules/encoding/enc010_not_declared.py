"""Checks for an XML declaration that names no encoding.

## Why is this bad
XML without a declared encoding is UTF-8, which is what a sitemap must be in, so that engines read it as it is meant.
Naming it keeps editors and servers from guessing.

## Fails
```xml
<?xml version="1.0"?>
```

## Passes
```xml
<?xml version="1.0" encoding="UTF-8"?>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ENC010",
    name="encoding-not-declared",
    severity=Severity.INFO,
    table="documents",
    value="encoding",
    where="has_declaration AND declared_encoding IS NULL AND kind IN ('urlset', 'sitemapindex', 'rss', 'atom')",
    message="The XML declaration names no encoding",
    example="the declaration names no encoding; the document was read as {value}",
    fix='Write `<?xml version="1.0" encoding="UTF-8"?>`.',
    sources=(
        "https://www.sitemaps.org/protocol.html#escaping",
        "https://www.w3.org/TR/xml/#charencoding",
    ),
    checks=("B01",),
)
