"""Checks for `<lastmod>` dates that differ by more than one day from the page's own modification date:
`article:modified_time`, `dateModified` in JSON-LD, or a `<time>` element. A `<lastmod>` without a day is not checked.

## Why is this bad
Search engines read both dates. If the two contradict each other, neither can be trusted.

## Fails
```text
<lastmod>2026-02-04</lastmod>
<meta property="article:modified_time" content="2025-11-03T12:00:00Z">
```

## Passes
```text
<lastmod>2025-11-03</lastmod>
<meta property="article:modified_time" content="2025-11-03T12:00:00Z">
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD014",
    name="lastmod-differs-from-page",
    severity=Severity.WARNING,
    table="pages",
    needs=("page-lastmod",),
    field="page_modified",
    where="""
        status BETWEEN 200 AND 299
            AND lastmod_precision NOT IN ('year', 'month')
            AND (
                lastmod_at > page_modified_at + INTERVAL 1 DAY
                OR lastmod_at < page_modified_at - INTERVAL 1 DAY
            )
    """,
    message="lastmod differs from the page's own date",
    example="lastmod: {lastmod}, page date: {value} ({page_modified_from})",
    effect="search engines find another date on {places:page|pages}, and may trust the dates of the sitemap less",
    fix="Generate both from the same date.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://developers.google.com/search/docs/appearance/publication-dates",
    ),
    checks=("E12",),
)
