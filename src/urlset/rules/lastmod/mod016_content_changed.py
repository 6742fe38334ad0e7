"""Checks for pages whose main text changed since the previous run while `<lastmod>` stayed the same. Pages with fewer
than 20 words are not checked, nor is a `<lastmod>` that `--against` proves.

## Why is this bad
Search engines that rely on `<lastmod>` do not crawl the page again and keep showing its old content.

## Fails
```text
# run 1: lastmod 2026-01-01; run 2: lastmod 2026-01-01, different text
```

## Passes
```text
# run 1: lastmod 2026-01-01; run 2: lastmod 2026-02-01, different text
```
"""

from urlset.rules.queries import LASTMOD_IS_PROVEN
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD016",
    name="content-changed-lastmod-same",
    severity=Severity.WARNING,
    table="pages",
    needs=("page-lastmod",),
    field="lastmod",
    where=f"""
        status BETWEEN 200 AND 299 AND lastmod_at = lastmod_at_before
            AND content_hash <> content_hash_before
            AND words >= 20 AND NOT {LASTMOD_IS_PROVEN}
    """,
    message="Content changed but lastmod did not",
    example="lastmod is still {value}; the text changed",
    effect="search engines do not learn that {places:page|pages} changed",
    fix="Update lastmod when the content changes.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",),
    checks=("E13",),
)
