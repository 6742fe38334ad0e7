"""Checks for a listed page that asks engines not to index it: `noindex` or `none` in a robots meta element or in the
header X-Robots-Tag, to all of them, to Google or to Bing.

## Why is this bad
The sitemap asks for indexing, the page forbids it, and the page wins. Search Console reports it as submitted and
excluded.

## Fails
```text
<meta name="robots" content="noindex, follow">
```

## Passes
```text
<meta name="robots" content="max-image-preview:large">
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE008",
    name="page-noindex",
    severity=Severity.ERROR,
    table="pages",
    field="noindex",
    where="""
        noindex IS NOT NULL
            AND status BETWEEN 200 AND 299 AND coalesce(canonical_is_self, true)
            AND forbidden_by IS NULL
    """,
    message="The page asks not to be indexed",
    example="{url} says {value}",
    fix="Remove the page from the sitemap, or the noindex from the page.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J06",),
)
