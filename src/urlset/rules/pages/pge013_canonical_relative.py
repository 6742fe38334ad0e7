"""Checks for listed pages whose canonical link element is not an absolute URL.

## Why is this bad
Search engines resolve it against the page or its base element, but the result is easily wrong on a staging host or
under another scheme. Google advises against relative URLs here.

## Fails
```text
<link rel="canonical" href="/chairs">
```

## Passes
```text
<link rel="canonical" href="https://www.example.com/chairs">
```
"""

from urlset.rules.queries import of_every_page
from urlset.rules.rule import RuleScope, SetRule, Severity

_VALUE = """
        canonical_links[1]"""
_WHERE = """
        status BETWEEN 200 AND 299 AND NOT starts_with(lower(canonical_links[1]), 'http://')
            AND NOT starts_with(lower(canonical_links[1]), 'https://')"""

RULE = SetRule(
    code="PGE013",
    name="page-canonical-relative",
    severity=Severity.INFO,
    table="pages",
    field="canonical",
    scope=RuleScope.RUN,
    needs=("relative-canonical|relative-canonical-unlisted",),
    query=f"""
        SELECT *, CASE WHEN value = '' THEN 'an empty canonical URL' ELSE 'the canonical URL ' || value END AS written
        FROM ({of_every_page(_VALUE, _WHERE)})
    """,
    message="Canonical URL is relative",
    example="{url} has {written}",
    fix="Write the full URL, with scheme and host.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J08",),
)
