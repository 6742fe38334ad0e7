"""Checks for the same URL more than once in one document. Every entry after the first is reported, with the line of the
first.

## Why is this bad
A repeated entry says nothing new, takes up room below the limit, and may contradict the first in its date or its
language versions; which of them counts is not documented. URLs are compared letter by letter, so that a slash at the
end makes another one.

## Fails
```xml
<url><loc>https://example.com/a</loc><lastmod>2025-01-01</lastmod></url>
<url><loc>https://example.com/a</loc><lastmod>2025-02-01</lastmod></url>
```

## Passes
```xml
<url><loc>https://example.com/a</loc><lastmod>2025-02-01</lastmod></url>
<url><loc>https://example.com/b</loc></url>
```
"""

from urlset.rules.queries import PLACE_OF_LOC
from urlset.rules.rule import Fixable, SetRule, Severity

RULE = SetRule(
    code="DUP001",
    name="url-repeated",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    only="coalesce(loc_repeats, 1) > 0",
    query=f"""
        WITH suspects AS MATERIALIZED (
            SELECT document_id, loc_hash
            FROM urls
            WHERE loc <> ''
            GROUP BY document_id, loc_hash
            HAVING count(*) > 1
        ), repeated AS MATERIALIZED (
            SELECT u.document_id, u.loc, min(u.ordinal) AS first_ordinal, min(u.line) AS first_line
            FROM urls AS u
            JOIN suspects AS s ON s.document_id = u.document_id AND s.loc_hash = u.loc_hash
            GROUP BY u.document_id, u.loc
            HAVING count(*) > 1
        )
        SELECT{PLACE_OF_LOC}, u.loc AS value, r.first_line
        FROM repeated AS r
        JOIN urls AS u ON u.document_id = r.document_id AND u.loc = r.loc AND u.ordinal > r.first_ordinal
    """,
    message="A URL stands more than once in the document",
    example="loc stands in line {first_line} already: {value}",
    fix="Keep one entry for each URL.",
    advice="If they differ, keep the one that is true.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
    ),
    checks=("D17",),
    fixable=Fixable.SOMETIMES,
)
