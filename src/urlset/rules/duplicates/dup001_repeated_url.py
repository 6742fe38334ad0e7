"""Checks for URLs that one document lists more than once. Every entry after the first is reported, with the line of the
first.

## Why is this bad
A repeated entry adds nothing, counts toward the limit on entries, and can contradict the first one in its date or
hreflang annotations; which of them counts is not documented. URLs are compared character by character, so a trailing
slash makes a different URL.

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
            WHERE loc <> '' AND loc_problem IS DISTINCT FROM 'unset-variable'
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
    message="URL is listed more than once in the document",
    example="already listed on line {first_line}: {value}",
    effect="{places:entry repeats a URL|entries repeat URLs}, and search engines choose between their dates",
    fix="Keep one entry for each URL.",
    advice="If the entries differ, keep the correct one.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
    ),
    checks=("D17",),
    fixable=Fixable.SOMETIMES,
)
