"""Checks for URLs that one document lists more than once. Every entry after the first is reported, with the line of the
first.

## Why is this bad
A repeated entry adds nothing, counts toward the limit on entries, and can contradict the first one in its date or
hreflang annotations; which of them counts is not documented. Spellings that
[RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2) calls equal are one URL, such as `%c3%a9`, `%C3%A9` and
`é`; a trailing slash makes a different URL.

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
    needs=("repeated-loc",),
    query=f"""
        WITH repeated AS MATERIALIZED (
            SELECT document_id, loc_hash, min(ordinal) AS first_ordinal
            FROM urls
            WHERE loc <> '' AND loc_problem IS DISTINCT FROM 'unset-variable'
            GROUP BY document_id, loc_hash
            HAVING count(*) > 1
        ), firsts AS MATERIALIZED (
            SELECT r.*, f.line, f.loc
            FROM repeated AS r
            JOIN urls AS f ON f.document_id = r.document_id AND f.ordinal = r.first_ordinal
        )
        SELECT{PLACE_OF_LOC}, u.loc AS value, f.line AS first_line,
            CASE WHEN f.loc <> u.loc THEN concat(' as ', f.loc) ELSE '' END AS spelled
        FROM firsts AS f
        JOIN urls AS u ON u.document_id = f.document_id AND u.loc_hash = f.loc_hash AND u.ordinal > f.first_ordinal
    """,
    message="URL is listed more than once in the document",
    example="already listed on line {first_line}{spelled}: {value}",
    effect="{places:entry repeats a URL|entries repeat URLs}, and search engines choose which entry counts",
    fix="Keep one entry for each URL.",
    advice="If the entries differ, keep the correct one.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
    ),
    checks=("D17",),
    fixable=Fixable.SOMETIMES,
)
