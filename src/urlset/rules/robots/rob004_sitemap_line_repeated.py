"""Checks for a Sitemap line in robots.txt that names what an earlier line names, be it with http instead of https.

## Why is this bad
Engines fetch it once at best and twice at worst. It is a sign that two programs write robots.txt, and that one of them
may be forgotten.

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
    only="TRUE",
    only_of="sitemap_lines",
    query="""
        WITH lines AS (
            SELECT
                document_id, ordinal, loc_line AS line, loc_col AS col, loc,
                regexp_replace(loc, '^[hH][tT][tT][pP][sS]?:', '') AS name
            FROM sitemap_lines
        ), firsts AS (
            SELECT document_id, name, min(ordinal) AS ordinal, min(line) AS first_line
            FROM lines
            GROUP BY document_id, name
        )
        SELECT l.document_id, l.ordinal, l.line, l.col, l.loc AS url, l.loc AS value, f.first_line
        FROM lines AS l
        JOIN firsts AS f ON f.document_id = l.document_id AND f.name = l.name AND l.ordinal > f.ordinal
    """,
    message="A Sitemap line is repeated",
    example="{value} is named in line {first_line} already",
    fix="Remove all lines but one.",
    advice="Keep the one with https.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#submit_robots",
    ),
    checks=("A05",),
)
