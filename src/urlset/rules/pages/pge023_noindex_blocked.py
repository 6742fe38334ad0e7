"""Checks for listed pages that are marked noindex and blocked by robots.txt. urlset fetches blocked pages only with
`--ask-forbidden`.

## Why is this bad
Crawlers that obey robots.txt do not fetch the page and never see `noindex`. The page can still be indexed by its URL
alone.

## Fails
```text
# robots.txt
Disallow: /private/

# /private/chairs
X-Robots-Tag: noindex
```

## Passes
```text
# robots.txt allows it

# /private/chairs
X-Robots-Tag: noindex
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE023",
    name="page-noindex-blocked",
    severity=Severity.WARNING,
    table="pages",
    needs=("maybe-not-indexable",),
    field="noindex",
    where="noindex IS NOT NULL AND status BETWEEN 200 AND 299 AND blocked_by IS NOT NULL",
    message="robots.txt keeps crawlers from seeing the noindex",
    example="{url} has {value}, but robots.txt blocks it ({blocked_by})",
    fix=(
        "Remove the URL from the sitemap. Then allow it in robots.txt until it has left the index, or rely on "
        "robots.txt alone."
    ),
    sources=("https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",),
    checks=("J19",),
)
