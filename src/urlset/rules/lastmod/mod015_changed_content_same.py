"""Checks for pages with a later `<lastmod>` than in the previous run but the same main text. A `<lastmod>` that
`--against` proves is not checked: the earlier one was false.

## Why is this bad
A date that changes without the content carries no information, and Google stops trusting the dates of such a site.
Copyright years, build stamps, and navigation are not part of the main text.

## Fails
```text
# run 1: lastmod 2026-01-01; run 2: lastmod 2026-02-01, same text
```

## Passes
```text
# run 1: lastmod 2026-01-01; run 2: lastmod 2026-01-01, same text
```
"""

from urlset.rules.queries import LASTMOD_IS_PROVEN
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD015",
    name="lastmod-changed-content-same",
    severity=Severity.WARNING,
    table="pages",
    needs=("page-lastmod",),
    field="lastmod_at_before",
    where=f"""
        status BETWEEN 200 AND 299 AND lastmod_at > lastmod_at_before
            AND content_hash = content_hash_before AND NOT {LASTMOD_IS_PROVEN}
    """,
    message="lastmod changed but the content did not",
    example="lastmod was {value} and is now {lastmod}; the text is the same",
    effect="search engines crawl {places:unchanged page|unchanged pages} again, and learn to ignore the dates",
    fix="Change lastmod only when the content changes: `urlset build` can use a hash of the content.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",),
    checks=("E13",),
)
