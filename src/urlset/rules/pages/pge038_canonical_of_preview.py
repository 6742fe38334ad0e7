"""Checks for listed pages whose canonical URL is the same path on a preview or staging host: a host such as
`site.pages.dev` or `localhost`, or `staging.` before the host of the site; and of a site that is read from its preview
(`--map`), for those whose canonical URL is on that preview.

## Why is this bad
The site was built with the URL of a preview. Search engines index the preview instead, or neither page, if the preview
forbids indexing.

## Fails
```text
GET https://www.example.com/chairs
<link rel="canonical" href="https://preview-42.pages.dev/chairs">
```

## Passes
```text
GET https://www.example.com/chairs
<link rel="canonical" href="https://www.example.com/chairs">
```
"""

from urlset.rules.queries import CANNOT_BE_INDEXED, CANONICALS, NAMES_PREVIEW
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="PGE038",
    name="page-canonical-of-preview",
    severity=Severity.ERROR,
    scope=RuleScope.RUN,
    table="pages",
    needs=("other-canonical",),
    field="canonical",
    query=f"""
        SELECT DISTINCT p.document_id, p.ordinal, p.line, p.col, p.url, p.canonical AS value{CANONICALS}
            AND p.noindex IS NULL
            AND coalesce(len(p.hops), 0) = 0
            AND {NAMES_PREVIEW}
            -- PGE014 covers canonical pages that are not indexable.
            AND NOT coalesce({CANNOT_BE_INDEXED}, false)
    """,
    message="Canonical URL is on a preview host",
    example="{url} has the canonical URL {value}, of a preview of the site",
    effect="search engines index the preview instead of {places:listed page|listed pages}",
    fix="Build the site with its own URL, such as the setting baseURL or site of the generator, and deploy that build.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J07",),
)
