"""Checks for lines of a text sitemap that are not an absolute URL: a path, a heading, a comment, or markup.

## Why is this bad
A text sitemap contains one URL per line and nothing else. Search engines report the line as an invalid URL. LOC001 is
the same check for loc in XML; the two never report the same entry.

## Fails
```text
List of pages
/about
https://example.com/contact
```

## Passes
```text
https://example.com/about
https://example.com/contact
```
"""

from urlset.rules.queries import PLACE_OF_LOC
from urlset.rules.rule import CheckEffect, CheckStep, Fixable, SetRule, Severity

RULE = SetRule(
    code="TXT001",
    name="line-not-url",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    needs=("loc-problem",),
    query=f"""
        SELECT{PLACE_OF_LOC}, u.loc AS value
        FROM urls AS u
        JOIN documents AS d ON d.document_id = u.document_id
        WHERE u.loc_problem NOT IN ('empty', 'unset-variable') AND u.scheme IS NULL AND d.kind = 'text'
    """,
    message="Line is not an absolute URL",
    example="not an absolute URL: {value}",
    fix="Write one full URL per line, and nothing else.",
    advice="Remove headings, comments, and columns, and add the scheme and host to each path.",
    sources=(
        "https://www.sitemaps.org/protocol.html#otherformats",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("G01", "G03"),
    fixable=Fixable.ALWAYS,
)
