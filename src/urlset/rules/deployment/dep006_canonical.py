"""Checks for pages whose canonical link, in the page or in the header `Link`, differs from the one in the
directory, for example because it is on a preview host.

## Why is this bad
Search engines index the canonical URL. If it is on a preview host, the pages of the real host are dropped.

## Fails
```text
dist/about/index.html: <link rel=canonical href="https://example.com/about/">
GET https://example.com/about/: <link rel=canonical href="https://preview-42.pages.dev/about/">
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
    where="difference = 'canonical'",
    message="Canonical link differs from the build",
    example="{about}",
    effect="search engines may index other URLs than those of {places:page|pages}",
    fix="Build with the URL of the real site, and deploy that build.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    needs_server=True,
    since="0.2.0",
    checks=("J07",),
)
