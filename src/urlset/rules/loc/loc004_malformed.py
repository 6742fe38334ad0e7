"""Checks for an http or https URL that breaks RFC 3986 and RFC 3987: no host or an impossible one, a port that is no
port, a % without two hexadecimal digits, a character that must be percent-encoded.

## Why is this bad
The protocol demands URLs that follow these standards. Engines report an invalid URL, or repair it each in its own way
and fetch another address than the one that was meant. Letters beyond ASCII are allowed and not reported. White space
has a rule of its own.

## Fails
```xml
<url><loc>https://example.com/50%-off</loc></url>
<url><loc>https://example.com:80a/</loc></url>
<url><loc>https:///about</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/50%25-off</loc></url>
<url><loc>https://example.com/café</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Fixable, Severity
from urlset.rules.wording import url_problem_in_words

RULE = EntryRule(
    code="LOC004",
    name="url-malformed",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    guard_traits=("loc-problem",),
    detail=url_problem_in_words("loc", "loc_problem"),
    where="loc_problem NOT IN ('empty', 'whitespace') AND scheme IN ('http', 'https')",
    message="URL is malformed",
    example="loc is malformed: {detail}",
    fix="Percent-encode the character, or correct the host or port.",
    advice=(
        'Encode each part of the URL before the parts are joined: `%` itself as `%25`, and of ASCII also `" < > ^ '
        "{ | }`, the backtick and the backslash. Encode once: `%2525` shows that it was done twice."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html#locdef",
        "https://www.sitemaps.org/protocol.html#escaping",
        "https://www.rfc-editor.org/rfc/rfc3986#section-2",
        "https://www.rfc-editor.org/rfc/rfc3986#section-3.2",
        "https://www.rfc-editor.org/rfc/rfc3987#section-2.2",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    checks=("D03", "D06"),
    fixable=Fixable.ALWAYS,
)
