"""Checks for URLs in XML sitemaps and feeds that are not absolute: a path, a host without a scheme, or a URL that
starts with `//`.

## Why is this bad
The protocol requires the full URL, including the scheme and host. Search engines do not guess: they report an invalid
URL and drop the entry. The official schema accepts such values, so schema validation does not catch them. TXT001 is the
same check for text sitemaps.

## Fails
```xml
<url><loc>/about</loc></url>
<url><loc>www.example.com/about</loc></url>
<url><loc>//example.com/about</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.queries import PLACE_OF_LOC
from urlset.rules.rule import Cause, CheckEffect, CheckStep, Fixable, SetRule, Severity

RULE = SetRule(
    code="LOC001",
    name="url-relative",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    needs=("loc-problem",),
    query=f"""
        SELECT{PLACE_OF_LOC}, u.loc AS value
        FROM urls AS u
        JOIN documents AS d ON d.document_id = u.document_id
        WHERE u.loc_problem NOT IN ('empty', 'unset-variable') AND u.scheme IS NULL AND d.kind <> 'text'
    """,
    message="URL is incomplete: https:// or the host is missing",
    causes=(Cause("SIT007", "TRUE"),),
    example="loc {value} has no scheme",
    fix="Write the full URL, with https:// and the host.",
    advice="Most generators have a setting for the site's URL, often called base URL, site URL, or hostname.",
    sources=(
        "https://www.sitemaps.org/protocol.html#locdef",
        "https://support.google.com/webmasters/answer/7451001",
        "https://www.rfc-editor.org/rfc/rfc3986#section-4.3",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("D01", "G07"),
    fixable=Fixable.ALWAYS,
)
