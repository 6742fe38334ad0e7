"""Checks for a file whose XML declaration names another encoding than its bytes show: by their byte order mark, or by
not being UTF-16 where UTF-16 is declared, or the reverse.

## Why is this bad
Readers differ in which of the two they believe, and strict ones stop. urlset believes the bytes; an engine that
believes the declaration sees other characters or none.

## Fails
```xml
<!-- the file begins with the byte order mark of UTF-8 -->
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
    message="The bytes and the XML declaration say different encodings",
    example="the bytes and the declaration disagree: {value}",
    fix='Declare the encoding that the file is written in: encoding="UTF-8".',
    sources=(
        "https://www.w3.org/TR/xml/#charencoding",
        "https://www.rfc-editor.org/rfc/rfc7303#section-3",
    ),
    checks=("B02",),
    fixable=Fixable.ALWAYS,
)
