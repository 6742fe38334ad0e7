"""Checks for a listed page whose canonical is not written as an absolute URL.

## Why is this bad
It is understood, from the page or its base element; but it is easily wrong on a staging host or behind another
scheme, and Google advises against it.

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
    message="The canonical of the page is relative",
    example="{url} writes {value}",
    fix="Write scheme and host.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J08",),
)
