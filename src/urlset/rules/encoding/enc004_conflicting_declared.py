"""Checks for files whose bytes contradict the declared encoding: the byte order mark and the XML declaration differ,
UTF-16 is declared but the bytes are not UTF-16 (or the reverse), or the file is UTF-16 with neither a byte order mark
nor a declaration.

## Why is this bad
Parsers disagree on which one to trust, and strict ones stop. urlset trusts the bytes. A search engine that trusts the
declaration, or assumes UTF-8 without one, reads the wrong characters or nothing at all.

## Fails
```xml
<!-- the file starts with the byte order mark of UTF-8 -->
<?xml version="1.0" encoding="UTF-16"?>
```

## Passes
```xml
<?xml version="1.0" encoding="UTF-8"?>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="ENC004",
    name="encoding-conflict",
    severity=Severity.WARNING,
    kinds=("encoding-conflict",),
    message="Bytes do not match the declared or default encoding",
    example="conflicting encodings: {value}",
    effect="search engines may read wrong characters in {places:document|documents}",
    fix='Save the file as UTF-8 and declare encoding="UTF-8".',
    advice="If the file is UTF-8 already, only the declaration has to change.",
    sources=(
        "https://www.w3.org/TR/xml/#charencoding",
        "https://www.rfc-editor.org/rfc/rfc7303#section-3",
    ),
    checks=("B02",),
    fixable=Fixable.ALWAYS,
)
