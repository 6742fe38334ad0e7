"""Checks for a listed page that names several canonicals that are not the same.

## Why is this bad
Engines then choose by themselves, or go by none of them.

## Fails
```text
<link rel="canonical" href="/chairs">
<link rel="canonical" href="/seats">
```

## Passes
```text
<link rel="canonical" href="https://www.example.com/chairs">
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE012",
    name="page-several-canonicals",
    severity=Severity.WARNING,
    table="pages",
    field="canonical",
    value="""
        array_to_string(
            list_sort(list_distinct(list_concat(coalesce(canonical_links, []), coalesce(canonical_headers, [])))), ', '
        )
    """,
    where="""
        status BETWEEN 200 AND 299
            AND len(list_distinct(list_concat(coalesce(canonical_links, []), coalesce(canonical_headers, [])))) > 1
    """,
    message="The page names several canonicals",
    example="{url} names {value}",
    fix="Leave one of them.",
    advice="Look for a plug-in or a header that adds the other.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J08",),
)
