"""Checks for a listed page that asks not to be indexed and names another page as its canonical as well.

## Why is this bad
Three signals that contradict each other: the sitemap says index this, noindex says do not, the canonical says index
that one. Google advises against noindex beside a canonical; the page is left out in any case.

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

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE021",
    name="page-signals-conflict",
    severity=Severity.ERROR,
    table="pages",
    field="noindex",
    where="""
        noindex IS NOT NULL
            AND status BETWEEN 200 AND 299 AND NOT canonical_is_self
            AND forbidden_by IS NULL
    """,
    message="The signals of the page contradict each other",
    example="{url} says {value} and names {canonical} as its canonical",
    fix="Decide which of the two is meant, and remove the page from the sitemap.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
    ),
    checks=("J17",),
)
