"""Checks for pages whose canonical link, in the page or in the header `Link`, names a preview or staging host, unlike
the one in the directory.

## Why is this bad
Search engines index the canonical URL: the preview instead of the site, or neither, if the preview forbids indexing.

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
    code="DEP015",
    name="canonical-of-preview",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'canonical' AND cause = 'preview-host'",
    message="Canonical link names a preview host",
    example="{about:whole}",
    effect="search engines index the preview instead of {places:page|pages}",
    fix="The served build was made for a preview: build with the URL of the site, and deploy that build.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    needs_server=True,
    checks=("J07",),
)
