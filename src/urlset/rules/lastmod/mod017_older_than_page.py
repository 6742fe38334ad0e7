"""Checks for `<lastmod>` dates that are older than the page's own modification date by more than the precision of
`<lastmod>`: a year or month that had ended by then, or a time that is between one minute and one day earlier. MOD014
reports differences of more than one day if `<lastmod>` has a day. A time is only compared if the date of the page has a
time zone.

## Why is this bad
The page changed after the date in the sitemap, so a search engine that relies on `<lastmod>` crawls it again too late.

## Fails
```text
<lastmod>2025-11-03T10:00:00Z</lastmod>
<meta property="article:modified_time" content="2025-11-03T18:30:00Z">
```

## Passes
```text
<lastmod>2025-11</lastmod>
<meta property="article:modified_time" content="2025-11-28T18:30:00Z">
```
"""

from urlset.rules.queries import LASTMOD_IS_PROVEN
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD017",
    name="lastmod-older-than-page",
    severity=Severity.INFO,
    table="pages",
    needs=("page-lastmod",),
    field="page_modified",
    where=f"""
        status BETWEEN 200 AND 299 AND NOT {LASTMOD_IS_PROVEN} AND CASE lastmod_precision
            WHEN 'year' THEN page_modified_at > lastmod_at + INTERVAL 1 YEAR + INTERVAL 1 DAY
            WHEN 'month' THEN page_modified_at > lastmod_at + INTERVAL 1 MONTH + INTERVAL 1 DAY
            WHEN 'day' THEN false
            ELSE page_modified_at > lastmod_at + INTERVAL 1 MINUTE
                AND page_modified_at <= lastmod_at + INTERVAL 1 DAY
                AND regexp_matches(page_modified, '[0-9]:[0-9]{{2}}.*(Z|GMT|UTC|[+-][0-9]{{2}}:?[0-9]{{2}})$')
        END
    """,
    message="lastmod is older than the page's own date",
    example="lastmod: {lastmod}, page date: {value} ({page_modified_from})",
    fix="When you publish the page, set lastmod from the same date as the page.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://developers.google.com/search/docs/appearance/publication-dates",
    ),
    checks=("E12",),
)
