"""Checks for an index that lists an index above it, or something that redirects to one or to itself. IDX012 speaks of
an index that names itself.

## Why is this bad
A reader that follows indexes goes round in a circle. urlset reads each document once; others may stop at their bound,
and leave out what comes after.

## Fails
```text
<!-- in /index.xml --> <sitemap><loc>https://www.example.com/part.xml</loc></sitemap>
<!-- in /part.xml --> <sitemap><loc>https://www.example.com/index.xml</loc></sitemap>
```

## Passes
```text
<!-- in /index.xml --> <sitemap><loc>https://www.example.com/part.xml</loc></sitemap>
<!-- in /part.xml --> <url><loc>https://www.example.com/a</loc></url>
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="IDX016",
    name="index-cycle",
    severity=Severity.ERROR,
    scope=RuleScope.RUN,
    table="children",
    field="loc",
    only="TRUE",
    only_of="cuts",
    query="""
        SELECT c.document_id, c.ordinal, c.line, c.col, c.url, coalesce(r.url, d.url) AS value
        FROM cuts AS c
        JOIN documents AS d ON d.document_id = c.document_id
        LEFT JOIN documents AS r ON r.document_id = c.read_as
        WHERE c.kind = 'cycle' OR (c.kind = 'self' AND c.url <> d.url AND c.url <> d.final_url)
    """,
    message="Index leads back to an index above it",
    example="{url} leads back to {value}",
    fix="Remove the entry that leads back.",
    advice="An index lists sitemaps, not indexes.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("F07",),
)
