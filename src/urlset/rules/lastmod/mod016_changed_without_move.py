"""Checks for a page whose main text is another one than in the run before, while its lastmod is the same.

## Why is this bad
Engines that go by lastmod do not look at the page again, and keep showing what it said before.

## Fails
```text
# run 1: lastmod 2026-01-01, run 2: lastmod 2026-01-01, the text is another one
```

## Passes
```text
# run 1: lastmod 2026-01-01, run 2: lastmod 2026-02-01, the text is another one
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD016",
    name="content-changed-lastmod-same",
    severity=Severity.WARNING,
    table="pages",
    field="lastmod",
    where="""
        status BETWEEN 200 AND 299 AND lastmod_at = lastmod_at_before
            AND content_hash <> content_hash_before
            AND words >= 20
    """,
    message="The content changed, and lastmod did not move",
    example="lastmod is still {value}, and the text is another one",
    fix="Set lastmod when the content changes.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",),
    checks=("E13",),
)
