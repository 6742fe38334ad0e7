"""Checks for listed pages that ask search engines not to index them, through a robots meta tag or an `X-Robots-Tag`
header. `noindex` and `none` count if they apply to all crawlers, to Googlebot, or to Bingbot.

## Why is this bad
A sitemap says "index this page"; `noindex` says the opposite. Search engines obey `noindex`, report the URL as
"Excluded by 'noindex' tag", and waste crawl budget on it.

## Fails
```text
<meta name="robots" content="noindex, follow">
```

## Passes
```text
<meta name="robots" content="max-image-preview:large">
```
"""

from urlset.rules.queries import OF_REDIRECTS
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE008",
    name="page-noindex",
    severity=Severity.ERROR,
    table="pages",
    needs=("maybe-not-indexable",),
    field="noindex",
    where="""
        noindex IS NOT NULL
            AND status BETWEEN 200 AND 299 AND coalesce(canonical_is_self, true)
            AND blocked_by IS NULL
    """,
    causes=OF_REDIRECTS,
    message="Page tells search engines not to index it (noindex)",
    example="{url} has {value}",
    fix="Remove the URL from the sitemap, or remove noindex from the page.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J06",),
)
