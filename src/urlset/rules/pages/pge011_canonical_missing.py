"""Checks for an HTML page that is listed and names no canonical.

## Why is this bad
Nothing is wrong with that; but a page that names itself stays the one that is indexed when it is linked with
parameters, in capitals or without www.

## Fails
```text
<head><title>Chairs</title></head>
```

## Passes
```text
<head><link rel="canonical" href="https://www.example.com/chairs"></head>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE011",
    name="page-without-canonical",
    severity=Severity.HINT,
    table="pages",
    field="canonical",
    where="""
        status BETWEEN 200 AND 299 AND canonical IS NULL
            AND content_hash IS NOT NULL
            AND (content_type ILIKE 'text/html%' OR content_type ILIKE 'application/xhtml+xml%')
    """,
    message="The page names no canonical",
    example="{url} names no canonical",
    fix="Add a canonical link that names the page itself.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J08",),
)
