"""Checks for sitemaps that an index lists more than once. Every entry after the first is reported.

## Why is this bad
Depending on the search engine, the sitemap is fetched twice or counted once, and two `<lastmod>` values can contradict
each other. The usual cause is a generator that ran twice on the same index.

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
    needs=("repeated-loc",),
    query="""
        WITH repeated AS (
            SELECT document_id, loc_hash, min(ordinal) AS first_ordinal, min(line) AS first_line
            FROM children
            WHERE loc <> ''
            GROUP BY document_id, loc_hash
            HAVING count(*) > 1
        )
        SELECT
            c.document_id, c.ordinal, coalesce(c.loc_line, c.line) AS line, coalesce(c.loc_col, c.col) AS col,
            c.loc AS url, c.loc AS value, r.first_line
        FROM repeated AS r
        JOIN children AS c ON c.document_id = r.document_id AND c.loc_hash = r.loc_hash AND c.ordinal > r.first_ordinal
    """,
    message="Sitemap index lists a sitemap more than once",
    example="{value} is already listed on line {first_line}",
    effect="crawlers may fetch {places:child sitemap|child sitemaps} twice",
    fix="Keep only one entry for the sitemap.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#index",
    ),
    checks=("F11",),
    fixable=Fixable.SOMETIMES,
)
