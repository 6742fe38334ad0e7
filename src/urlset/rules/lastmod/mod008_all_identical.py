"""Checks for sitemaps in which all `<lastmod>` are the same: of at least 10 entries if they all have a time and are in
the same second, and of at least 30 entries if they are days. Dates that `--against` proves are not counted.

## Why is this bad
Only a new site changes all of its pages at the same time; otherwise, the generator writes the time of the build.
Search engines compare the dates with the pages, and ignore the dates of a site if they are wrong.

## Fails
```xml
<url><loc>https://www.example.com/a</loc><lastmod>2025-06-01</lastmod></url>
<url><loc>https://www.example.com/b</loc><lastmod>2025-06-01</lastmod></url>
<!-- … and 28 more with the same date -->
```

## Passes
```xml
<url><loc>https://www.example.com/a</loc><lastmod>2025-06-01</lastmod></url>
<url><loc>https://www.example.com/b</loc><lastmod>2024-11-20</lastmod></url>
```
"""

from urlset.rules.queries import DATES_WITHOUT_PROOF, LASTMODS_ARE_EQUAL, NOWHERE
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="MOD008",
    name="lastmod-all-identical",
    severity=Severity.WARNING,
    table="documents",
    needs=("equal-lastmods",),
    query=f"""
        WITH identical AS (
            SELECT document_id, url, entries, lastmod_newest
            FROM {DATES_WITHOUT_PROOF} AS dated
            WHERE {LASTMODS_ARE_EQUAL}
        )
        SELECT i.document_id,{NOWHERE}, CAST(NULL AS VARCHAR) AS value, i.lastmod_newest
        FROM identical AS i
        LEFT JOIN identical AS o
            ON i.url = concat(o.url, '.gz') AND i.entries = o.entries AND i.lastmod_newest = o.lastmod_newest
        WHERE o.document_id IS NULL
    """,
    scope=RuleScope.RUN,
    # Without pages, no date is proven.
    runs_without_rows=True,
    message="Every lastmod is the same",
    example="every lastmod is {lastmod_newest}",
    effect="search engines cannot tell from {places:sitemap|sitemaps} which pages changed, and may ignore the dates",
    fix="Set lastmod to the date of each page's last significant change, or omit it.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    checks=("E07",),
)
