"""Checks for XML declarations without an encoding.

## Why is this bad
XML without a declared encoding is UTF-8, which is what a sitemap must use, so search engines read it correctly.
Declaring it keeps editors and servers from guessing.

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
    severity=Severity.HINT,
    table="documents",
    value="encoding",
    needs=("no-declared-encoding",),
    where="has_declaration AND declared_encoding IS NULL AND kind IN ('urlset', 'sitemapindex', 'rss', 'atom')",
    message="XML declaration has no encoding",
    example="the declaration has no encoding; read as {value}",
    fix='Write `<?xml version="1.0" encoding="UTF-8"?>`.',
    sources=(
        "https://www.sitemaps.org/protocol.html#escaping",
        "https://www.w3.org/TR/xml/#charencoding",
    ),
    checks=("B01",),
)
