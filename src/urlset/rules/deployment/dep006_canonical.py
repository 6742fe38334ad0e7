"""Checks for pages whose canonical link, in the page or in the header `Link`, differs from the one in the
directory.

## Why is this bad
Search engines index the canonical URL, so that pages can be dropped in favor of others.

## Fails
```text
dist/about/index.html: <link rel=canonical href="https://example.com/about/">
GET https://example.com/about/: <link rel=canonical href="https://example.com/">
```

## Passes
```text
dist/about/index.html: <link rel=canonical href="https://example.com/about/">
GET https://example.com/about/: the same
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="DEP006",
    name="canonical-differs",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'canonical' AND cause IS DISTINCT FROM 'preview-host'",
    message="Canonical link differs from the build",
    example="{about:whole}",
    effect="search engines may index other URLs than those of {places:page|pages}",
    fix="Find what changes the link, such as a plugin of the host, or deploy the build again.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    needs_server=True,
    checks=("J07",),
)
