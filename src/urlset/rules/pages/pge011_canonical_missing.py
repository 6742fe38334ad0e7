"""Checks for listed HTML pages without a canonical URL. PGE031 reports those whose canonical link is in the body, and
PGE033 one page without content for many URLs.

## Why is this bad
This is not an error. But a self-referencing canonical keeps the page itself indexed when links to it have parameters,
uppercase letters, or no www.

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
from urlset.web.indexability import PageReason

RULE = EntryRule(
    code="PGE011",
    name="page-canonical-missing",
    severity=Severity.HINT,
    table="pages",
    field="canonical",
    where=f"""
        status BETWEEN 200 AND 299 AND canonical IS NULL
            AND coalesce(reason, '') <> '{PageReason.EMPTY_SHELL}'
            AND NOT coalesce(array_to_string(in_body, ' ') LIKE 'canonical: %', FALSE)
            AND content_hash IS NOT NULL
            AND (content_type ILIKE 'text/html%' OR content_type ILIKE 'application/xhtml+xml%')
    """,
    message="Page has no canonical URL",
    example="{url} has no canonical URL",
    fix="Add a canonical link element with the URL of the page itself.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J08",),
)
