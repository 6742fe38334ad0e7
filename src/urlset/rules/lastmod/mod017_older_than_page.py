"""Checks for a lastmod that is older than the date that the page itself gives for its last change, by more than
lastmod's own precision: a month or a year that was over by then, or a time that is a minute to a day earlier. MOD014
reports more than a day where lastmod is a day or a time. The date of the page must name its time zone to be compared
with a time.

## Why is this bad
The page changed after the moment that the sitemap names, so an engine that goes by lastmod comes late.

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

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD017",
    name="lastmod-older-than-page",
    severity=Severity.INFO,
    table="pages",
    field="page_modified",
    where="""
        status BETWEEN 200 AND 299 AND CASE lastmod_precision
            WHEN 'year' THEN page_modified_at > lastmod_at + INTERVAL 1 YEAR + INTERVAL 1 DAY
            WHEN 'month' THEN page_modified_at > lastmod_at + INTERVAL 1 MONTH + INTERVAL 1 DAY
            WHEN 'day' THEN false
            ELSE page_modified_at > lastmod_at + INTERVAL 1 MINUTE
                AND page_modified_at <= lastmod_at + INTERVAL 1 DAY
                AND regexp_matches(page_modified, '[0-9]:[0-9]{2}.*(Z|GMT|UTC|[+-][0-9]{2}:?[0-9]{2})$')
        END
    """,
    message="lastmod is older than the date of the page",
    example="lastmod is {lastmod}, and the page says {value} ({page_modified_from})",
    fix="Write lastmod from the same date as the page, when the page is published.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://developers.google.com/search/docs/appearance/publication-dates",
    ),
    checks=("E12",),
)
