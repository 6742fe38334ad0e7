"""Checks for `Sitemap` lines in robots.txt that repeat the URL of an earlier line. URLs that differ only in http and
https count as the same.

## Why is this bad
The second line adds nothing. Repeated lines are a sign that two programs write robots.txt, one of which may be
forgotten.

## Fails
```text
Sitemap: https://www.example.com/sitemap.xml
Sitemap: http://www.example.com/sitemap.xml
```

## Passes
```text
Sitemap: https://www.example.com/sitemap.xml
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="ROB004",
    name="sitemap-line-repeated",
    severity=Severity.INFO,
    scope=RuleScope.RUN,
    table="sitemap_lines",
    field="loc",
    needs=("sitemap_lines",),
    query="""
        WITH lines AS (
            SELECT
                document_id, ordinal, loc_line AS line, loc_col AS col, loc, loc_hash,
                regexp_replace(loc, '^[hH][tT][tT][pP][sS]?:', '') AS name
            FROM sitemap_lines
        ), keys AS (
            SELECT document_id, ordinal, line, col, loc, name AS key FROM lines
            UNION ALL
            SELECT document_id, ordinal, line, col, loc, concat(' ', loc_hash) FROM lines WHERE loc_hash IS NOT NULL
        ), firsts AS (
            SELECT document_id, key, min(ordinal) AS ordinal, min(line) AS first_line
            FROM keys
            GROUP BY document_id, key
        )
        SELECT
            k.document_id, k.ordinal, k.line, k.col, k.loc AS url, k.loc AS value, min(f.first_line) AS first_line
        FROM keys AS k
        JOIN firsts AS f ON f.document_id = k.document_id AND f.key = k.key AND k.ordinal > f.ordinal
        GROUP BY k.document_id, k.ordinal, k.line, k.col, k.loc
    """,
    message="Sitemap line in robots.txt is repeated",
    example="{value} is already listed in line {first_line}",
    fix="Keep only one of the lines.",
    advice="Prefer the https URL.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#submit_robots",
    ),
    checks=("A05",),
)
