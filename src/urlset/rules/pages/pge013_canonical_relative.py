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

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE013",
    name="page-canonical-relative",
    severity=Severity.INFO,
    table="pages",
    field="canonical",
    value="canonical_links[1]",
    where="""
        status BETWEEN 200 AND 299 AND NOT starts_with(lower(canonical_links[1]), 'http://')
            AND NOT starts_with(lower(canonical_links[1]), 'https://')
    """,
    message="Canonical URL is relative",
    example="{url} has the canonical URL {value}",
    fix="Write the full URL, with scheme and host.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J08",),
)
