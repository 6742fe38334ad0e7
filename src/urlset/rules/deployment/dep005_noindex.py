"""Checks for pages that the site serves with noindex although they were built without it, in a header or in the page,
or the other way round.

## Why is this bad
Hosts add `X-Robots-Tag: noindex` to previews and staging sites. If it stays on the real site, search engines drop
its pages; if a noindex is lost, they index pages that they should not.

## Fails
```text
dist/about/index.html: no noindex
GET https://example.com/about/: X-Robots-Tag: noindex
```

## Passes
```text
dist/about/index.html: <meta name=robots content=noindex>
GET https://example.com/about/: the same
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="DEP005",
    name="noindex-differs",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'noindex'",
    message="noindex differs from the build",
    example="{about:whole}",
    effect="search engines drop {places:page|pages}, or index what they should not",
    fix="Remove what adds or removes the directive: a header of the host, or a setting for previews.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",),
    needs_server=True,
    checks=("J06",),
)
