"""Checks for a lastmod that is later than in the run before, while the main text of the page is the same.

## Why is this bad
A date that moves without a change says nothing, and Google stops going by the dates of such a site. Copyright years,
build stamps and navigation are no part of the main text.

## Fails
```text
# run 1: lastmod 2026-01-01, run 2: lastmod 2026-02-01, the text is the same
```

## Passes
```text
# run 1: lastmod 2026-01-01, run 2: lastmod 2026-01-01, the text is the same
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD015",
    name="lastmod-moved-content-same",
    severity=Severity.WARNING,
    table="pages",
    field="lastmod_at_before",
    where="""
        status BETWEEN 200 AND 299 AND lastmod_at > lastmod_at_before
            AND content_hash = content_hash_before
    """,
    message="lastmod moved, and the content did not change",
    example="lastmod was {value} and is {lastmod}, and the text is the same",
    fix="Move the date only when the content changes: `urlset build` can go by a hash of it.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",),
    checks=("E13",),
)
