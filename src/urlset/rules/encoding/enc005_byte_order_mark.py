"""Checks for a sitemap in UTF-8 that begins with a byte order mark (EF BB BF).

## Why is this bad
The mark is allowed and good readers skip it. It says nothing in UTF-8, though, and simple readers take it for text
before the XML declaration or for a part of the first URL.

## Fails
```xml
<!-- the bytes EF BB BF stand before the declaration -->
<?xml version="1.0" encoding="UTF-8"?>
```

## Passes
```xml
<?xml version="1.0" encoding="UTF-8"?>
```
"""

from urlset.rules.rule import EntryRule, Fixable, Severity

RULE = EntryRule(
    code="ENC005",
    name="byte-order-mark",
    severity=Severity.INFO,
    table="documents",
    field="has_bom",
    value="encoding",
    where="has_bom AND lower(encoding) = 'utf-8' AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')",
    message="The file begins with a byte order mark",
    example="the file begins with the byte order mark of UTF-8",
    fix="Save the file as UTF-8 without a byte order mark.",
    advice="If a program writes the file, look for an encoding called utf-8-sig or an option called BOM.",
    sources=(
        "https://www.w3.org/TR/xml/#charencoding",
        "https://www.rfc-editor.org/rfc/rfc3629#section-6",
    ),
    checks=("B03",),
    fixable=Fixable.ALWAYS,
)
