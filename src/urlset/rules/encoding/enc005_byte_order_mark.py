"""Checks for UTF-8 sitemaps that start with a byte order mark (EF BB BF).

## Why is this bad
The mark is allowed, and good parsers skip it. It has no purpose in UTF-8, and simple parsers treat it as text before
the XML declaration or as part of the first URL.

## Fails
```xml
<!-- the bytes EF BB BF precede the declaration -->
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
    severity=Severity.HINT,
    table="documents",
    needs=("byte-order-mark",),
    field="has_bom",
    value="encoding",
    where="has_bom AND lower(encoding) = 'utf-8' AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')",
    message="File starts with a byte order mark",
    example="the file starts with the UTF-8 byte order mark",
    fix="Save the file as UTF-8 without a byte order mark.",
    advice="If a program writes the file, look for an encoding named utf-8-sig or an option named BOM.",
    sources=(
        "https://www.w3.org/TR/xml/#charencoding",
        "https://www.rfc-editor.org/rfc/rfc3629#section-6",
    ),
    checks=("B03",),
    fixable=Fixable.ALWAYS,
)
