"""Checks for sitemap indexes that list an index above them, or a URL that redirects to one or to the index itself.
IDX012 reports an index that lists its own URL.

## Why is this bad
A crawler that follows indexes can get caught in a loop. urlset reads each document once; other crawlers may stop at a
limit and miss everything after it.

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
    needs=("cuts",),
    query="""
        SELECT c.document_id, c.ordinal, c.line, c.col, c.url, coalesce(r.url, d.url) AS value
        FROM cuts AS c
        JOIN documents AS d ON d.document_id = c.document_id
        JOIN children AS o ON o.document_id = c.document_id AND o.ordinal = c.ordinal
        LEFT JOIN documents AS r ON r.document_id = c.duplicate_of
        WHERE c.kind = 'cycle' OR (c.kind = 'self' AND o.loc_hash NOT IN (d.url_hash, d.final_url_hash))
    """,
    message="Sitemap index leads back to itself or an index above it",
    example="{url} leads back to {value}",
    fix="Remove the entry that leads back.",
    advice="A sitemap index lists sitemaps, not indexes.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("F07",),
)
