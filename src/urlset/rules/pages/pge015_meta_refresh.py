"""Checks for listed pages that redirect with a meta refresh, a `Refresh` header, or a script. A script counts if a page
with fewer than 50 words has a statement such as `location.replace("/seats")` that runs in any case.

## Why is this bad
Search engines treat it as a redirect, immediate or delayed, and index the target; those that do not run scripts find a
page without content. A refresh also disorients visitors who use a screen reader or have a slow connection.

## Fails
```text
<meta http-equiv="refresh" content="0; url=/seats">
```

## Passes
```text
<head><title>Chairs</title></head>
```
"""

from urlset.rules.queries import OF_REDIRECTS, REQUESTED
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="PGE015",
    name="page-meta-refresh",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="pages",
    field="refresh_url",
    query=f"""
        WITH found AS (
            SELECT *, coalesce(refresh_url, script_url) AS value
            FROM pages
            WHERE status BETWEEN 200 AND 299 AND coalesce(refresh_url, script_url) NOT IN (url, final_url)
        ), ends AS (
            SELECT url, min(final_url) AS final_url
            FROM {REQUESTED} AS requested
            WHERE len(hops) > 0 AND url IN (SELECT value FROM found)
            GROUP BY url
        )
        SELECT
            f.document_id, f.ordinal, f.line, f.col, f.url, f.value, f.reason, f.hops,
            concat(
                CASE
                    WHEN f.refresh_url IS NULL THEN 'by script'
                    WHEN f.refresh_seconds > 0
                        THEN regexp_replace(concat('after ', f.refresh_seconds, ' s'), '[.]0 s$', ' s')
                    ELSE 'at once'
                END,
                coalesce(', and from there to ' || e.final_url, '')
            ) AS how
        FROM found AS f
        LEFT JOIN ends AS e ON e.url = f.value
    """,
    causes=OF_REDIRECTS[:2],
    message="Page redirects by a refresh or script, not by the server",
    example="{url} redirects to {value} {how}",
    effect="search engines may index the target instead of {places:listed page|listed pages}",
    fix="Redirect to the final URL on the server, and list that.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/301-redirects",),
    checks=("J11",),
)
