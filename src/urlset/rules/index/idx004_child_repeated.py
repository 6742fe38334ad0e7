"""Checks for the same sitemap listed more than once in an index. Every listing after the first is reported.

## Why is this bad
It is fetched twice or counted once, depending on the engine, and two values of lastmod may contradict each other.
Most often a generator was run twice over the same index.

## Fails
```xml
<sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
<sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
```

## Passes
```xml
<sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
<sitemap><loc>https://example.com/sitemap-2.xml</loc></sitemap>
```
"""

from urlset.rules.rule import Fixable, SetRule, Severity

RULE = SetRule(
    code="IDX004",
    name="child-repeated",
    severity=Severity.WARNING,
    table="children",
    field="loc",
    only="coalesce(loc_repeats, 1) > 0",
    query="""
        WITH repeated AS (
            SELECT document_id, loc, min(ordinal) AS first_ordinal, min(line) AS first_line
            FROM children
            WHERE loc <> ''
            GROUP BY document_id, loc
            HAVING count(*) > 1
        )
        SELECT
            c.document_id, c.ordinal, coalesce(c.loc_line, c.line) AS line, coalesce(c.loc_col, c.col) AS col,
            c.loc AS url, c.loc AS value, r.first_line
        FROM repeated AS r
        JOIN children AS c ON c.document_id = r.document_id AND c.loc = r.loc AND c.ordinal > r.first_ordinal
    """,
    message="The index lists a sitemap more than once",
    example="{value} is listed in line {first_line} already",
    fix="Remove all listings but one.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#index",
    ),
    checks=("F11",),
    fixable=Fixable.SOMETIMES,
)
