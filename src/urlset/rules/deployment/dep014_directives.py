"""Checks for pages whose robots directives other than noindex, in `X-Robots-Tag` or robots meta elements, differ from
the built ones. DEP005 covers noindex.

## Why is this bad
Directives such as nofollow, nosnippet, or unavailable_after change what search engines follow and show.

## Fails
```text
dist/about/index.html: no directives
GET https://example.com/about/: X-Robots-Tag: nosnippet
```

## Passes
```text
dist/about/index.html: <meta name=robots content=nosnippet>
GET https://example.com/about/: the same
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="DEP014",
    name="robots-directives-differ",
    severity=Severity.WARNING,
    table="served",
    field="url",
    where="difference = 'directives'",
    message="Robots directives differ from the build",
    example="{about:whole}",
    effect="search engines show {places:page|pages} differently",
    fix="Remove the header of the host, or build the directive that you want.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",),
    needs_server=True,
    checks=("J06",),
)
