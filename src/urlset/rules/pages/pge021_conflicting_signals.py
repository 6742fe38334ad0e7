"""Checks for listed pages that are marked noindex and also have another page as their canonical.

## Why is this bad
Three signals contradict each other: the sitemap says to index this page, `noindex` says not to, and the canonical says
to index another page. Google advises against combining `noindex` with a canonical. Search engines leave the page out
either way.

## Fails
```text
<meta name="robots" content="noindex">
<link rel="canonical" href="https://www.example.com/seats">
```

## Passes
```text
<link rel="canonical" href="https://www.example.com/chairs">
```
"""

from urlset.rules.queries import OF_REDIRECTS
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE021",
    name="page-signals-conflict",
    severity=Severity.ERROR,
    table="pages",
    needs=("maybe-not-indexable",),
    field="noindex",
    where="""
        noindex IS NOT NULL
            AND status BETWEEN 200 AND 299 AND NOT canonical_is_self
            AND blocked_by IS NULL
    """,
    causes=OF_REDIRECTS,
    message="noindex and canonical URL of the page contradict each other",
    example="{url} has {value} and the canonical URL {canonical}",
    fix="Decide between noindex and the canonical, and remove the URL from the sitemap.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
    ),
    checks=("J17",),
)
