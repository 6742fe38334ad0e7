"""Checks for white space inside a URL: a space, a tab, a line break, a no-break space.

## Why is this bad
No URL contains white space. Engines report an invalid URL, or cut it off at the space. White space around the value
is harmless: readers remove it, and it is not reported.

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
    name="url-white-space",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    guard_traits=("loc-problem",),
    where="loc_problem = 'whitespace' AND scheme IN ('http', 'https')",
    message="URL contains white space",
    example="loc contains white space: {value}",
    fix="Write %20 for each space that belongs to the URL, and remove the others.",
    advice="A line break inside a URL comes from a program that wraps long lines.",
    sources=(
        "https://www.sitemaps.org/protocol.html#locdef",
        "https://www.rfc-editor.org/rfc/rfc3986#section-2",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("D05",),
    fixable=Fixable.ALWAYS,
)
