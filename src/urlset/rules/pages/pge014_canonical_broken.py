"""Checks for a listed page whose canonical is another listed page that answers with an error, redirects or is not to be
indexed.

## Why is this bad
Neither of the two can be indexed then: this one passes the matter on, and that one is no answer.

## Fails
```text
# /chairs
<link rel="canonical" href="https://www.example.com/seats">
# /seats
HTTP/1.1 404 Not Found
```

## Passes
```text
# /chairs
<link rel="canonical" href="https://www.example.com/chairs">
```
"""

from urlset.rules.queries import CANNOT_BE_INDEXED, CANONICALS
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="PGE014",
    name="page-canonical-broken",
    severity=Severity.ERROR,
    scope=RuleScope.RUN,
    table="pages",
    field="canonical",
    query=f"""
        SELECT
            p.document_id, p.ordinal, p.line, p.col, p.url, p.canonical AS value,
            CASE
                WHEN c.status >= 300 THEN concat('answers ', c.status)
                WHEN c.noindex IS NOT NULL THEN concat('says ', c.noindex)
                ELSE 'redirects'
            END AS problem{CANONICALS}
            AND {CANNOT_BE_INDEXED}
    """,
    message="The canonical of the page cannot be indexed",
    example="{url} names {value}, which {problem}",
    fix="Let the canonical name a page that is there and may be indexed.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J08",),
)
