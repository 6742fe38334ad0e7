"""Checks for http and https URLs that contain whitespace: a space, tab, line break, or no-break space.

## Why is this bad
A URL cannot contain whitespace. Search engines report an invalid URL or cut it off at the space. Whitespace around the
value is harmless, because parsers remove it, and this rule does not report it.

## Fails
```xml
<url><loc>https://example.com/summer sale</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/summer%20sale</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Fixable, Severity

RULE = EntryRule(
    code="LOC005",
    name="url-whitespace",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    needs=("loc-problem",),
    where="loc_problem = 'whitespace' AND scheme IN ('http', 'https')",
    message="URL contains whitespace",
    example="loc contains whitespace: {value}",
    fix="Replace each space that belongs to the URL with %20, and remove the others.",
    advice="A line break inside a URL comes from a program that wraps long lines.",
    sources=(
        "https://www.sitemaps.org/protocol.html#locdef",
        "https://www.rfc-editor.org/rfc/rfc3986#section-2",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("D05",),
    fixable=Fixable.ALWAYS,
)
