"""Checks for http and https URLs that violate RFC 3986 and RFC 3987: a missing or invalid host, an invalid port, a `%`
that is not followed by two hexadecimal digits, or a character that must be percent-encoded.

## Why is this bad
The protocol requires URLs that follow these standards. Search engines report an invalid URL, or repair it in their own
way and fetch a different URL than you meant. Non-ASCII letters are allowed and not reported. LOC005 reports whitespace.

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

from urlset.rules.rule import Cause, EntryRule, Fixable, Severity
from urlset.rules.wording import url_problem_in_words

RULE = EntryRule(
    code="LOC004",
    name="url-malformed",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    needs=("loc-problem",),
    detail=url_problem_in_words("loc", "loc_problem"),
    where="loc_problem NOT IN ('empty', 'whitespace') AND scheme IN ('http', 'https')",
    message="URL is malformed",
    causes=(Cause("SIT006", "regexp_matches(loc, '[\"`]')"),),
    example="loc is malformed: {detail}",
    fix="Percent-encode the character, or correct the host or port.",
    advice=(
        "Encode each part of the URL before you join the parts: write `%` itself as `%25`, and also encode the ASCII "
        'characters `" < > ^ { | }`, the backtick, and the backslash. Encode only once: `%2525` is a sign of double '
        "encoding."
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
