"""Checks for bytes that are invalid in the encoding of the file, usually Latin-1 or Windows-1252 bytes in a file that
is declared as UTF-8.

## Why is this bad
The document is not well-formed. A strict parser stops at the first invalid byte and loses every entry after it. A
lenient parser replaces the byte with U+FFFD, which changes the URL.

## Fails
```xml
<!-- é is the single byte E9, but the file is declared as UTF-8 -->
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
    message="Bytes are invalid in the file's encoding",
    example="invalid bytes: {value}",
    fix="Convert the text to UTF-8 before writing it, or percent-encode it in URLs.",
    advice=(
        "The bytes usually come from a database or an old template. In a URL, percent-encode the UTF-8 bytes "
        "(caf%C3%A9)."
    ),
    sources=(
        "https://www.w3.org/TR/xml/#charencoding",
        "https://www.sitemaps.org/protocol.html",
    ),
    checks=("B01",),
    fixable=Fixable.ALWAYS,
)
