"""ROB009: url-forbidden

## What
A listed URL that robots.txt forbids a crawler to fetch. Asked about are the crawlers of the run, Googlebot and Bingbot
unless it says otherwise; those of AI are left to ROB010.

## Why
The sitemap asks for a visit that robots.txt forbids. Search Console reports each such URL, and the page is not read: it
can at best be listed without a description. The longest rule decides, as RFC 9309 has it.

## Fails
```text
# robots.txt
User-agent: *
Disallow: /*?sort=

# sitemap.xml
<url><loc>https://www.example.com/shoes?sort=price</loc></url>
```

## Passes
```text
# sitemap.xml
<url><loc>https://www.example.com/shoes</loc></url>
```

## Fix
Remove the URL from the sitemap, or allow it in robots.txt. `urlset robots` shows who may fetch what, and by which line.

## Sources
- https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
- https://support.google.com/webmasters/answer/7451001
- https://support.google.com/webmasters/answer/7440203
"""

from urlset.rules.crawlers import IS_NO_AI
from urlset.rules.rule import Rule, Scope, Severity

RULE = Rule(
    code="ROB009",
    name="url-forbidden",
    severity=Severity.ERROR,
    scope=Scope.SET,
    table="forbidden",
    field="loc",
    query=f"""
        WITH closed AS (
            SELECT
                document_id, ordinal, min(line) AS line, min(col) AS col,
                string_agg(agent, ', ' ORDER BY position) AS agents,
                min(robots_line) AS robots_line, arg_min(pattern, robots_line) AS pattern
            FROM forbidden
            WHERE ordinal IS NOT NULL AND {IS_NO_AI}
            GROUP BY document_id, ordinal
        )
        SELECT c.document_id, c.ordinal, c.line, c.col, u.loc AS url, c.agents AS value, c.robots_line, c.pattern
        FROM closed AS c
        LEFT JOIN urls AS u ON u.document_id = c.document_id AND u.ordinal = c.ordinal
    """,
    message="robots.txt forbids the URL",
    example="closed to {value} by line {robots_line} of robots.txt ({pattern})",
    fix="Remove the URL from the sitemap, or allow it in robots.txt.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2",
        "https://support.google.com/webmasters/answer/7451001",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J09",),
)
