"""Checks for bytes that do not exist in the encoding of the file: most often Latin-1 or Windows-1252 bytes in a file
that says it is UTF-8.

## Why is this bad
Such a document is not well-formed: a strict reader stops at the first of these bytes and loses every entry after it.
A lenient one puts U+FFFD in their place, which changes the URL.

## Fails
```xml
<!-- é written as the single byte E9 in a file that is declared as UTF-8 -->
<url><loc>https://example.com/caf�</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/café</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="ENC002",
    name="encoding-invalid-bytes",
    severity=Severity.ERROR,
    kinds=("encoding-invalid",),
    message="Bytes are not of the file's encoding",
    example="bytes that are not of the encoding: {value}",
    fix="Convert the text to UTF-8 before it is written, or percent-encode it in URLs.",
    advice=(
        "The bytes most often come from a database or an old template. In a URL, percent-encoding the UTF-8 bytes "
        "(caf%C3%A9) is safest."
    ),
    sources=(
        "https://www.w3.org/TR/xml/#charencoding",
        "https://www.sitemaps.org/protocol.html",
    ),
    checks=("B01",),
    fixable=Fixable.ALWAYS,
)
