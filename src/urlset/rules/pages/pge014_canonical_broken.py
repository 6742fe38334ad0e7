"""Checks for listed pages whose canonical URL is another listed page that returns an error, redirects, or is marked
noindex. 401, 402, 403, 407, and 429 do not count as errors, because they may apply to urlset only.

## Why is this bad
The page points search engines to another page, which they cannot index. They may ignore the canonical URL and choose
for themselves, or index neither page.

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

from urlset.rules.queries import CANNOT_BE_INDEXED, CANONICALS, problem_of
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="PGE014",
    name="page-canonical-broken",
    severity=Severity.ERROR,
    scope=RuleScope.RUN,
    table="pages",
    only="NOT canonical_is_self",
    only_of="pages",
    field="canonical",
    query=f"""
        SELECT
            p.document_id, p.ordinal, p.line, p.col, p.url, p.canonical AS value,
            {problem_of("c")} AS problem{CANONICALS}
            AND {CANNOT_BE_INDEXED}
    """,
    message="Canonical URL is not indexable",
    example="{url} has the canonical URL {value}, which {problem}",
    fix="Set the canonical URL to an indexable page.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J08",),
)
