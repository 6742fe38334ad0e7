"""Checks for `<lastmod>` dates more than one day later than the `Last-Modified` header of the page. The reverse is not
checked: servers that generate pages on request send the current time as `Last-Modified`, and builds touch files that
did not change. A `<lastmod>` without a day is not checked either, nor is one that `--against` proves.

## Why is this bad
The sitemap says that the page changed; the server says that it did not. Google uses `<lastmod>` only if it is
consistently accurate, and compares it with the last modification of the page.

## Fails
```text
<lastmod>2026-02-04</lastmod>
# Last-Modified: Mon, 03 Nov 2025 12:00:00 GMT
```

## Passes
```text
<lastmod>2025-11-03</lastmod>
# Last-Modified: Mon, 03 Nov 2025 12:00:00 GMT
```
"""

from urlset.rules.queries import LASTMOD_IS_PROVEN
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD013",
    name="lastmod-after-last-modified",
    severity=Severity.WARNING,
    table="pages",
    needs=("page-lastmod",),
    field="last_modified",
    where=f"""
        status BETWEEN 200 AND 299 AND lastmod_at > last_modified_at + INTERVAL 1 DAY
            AND lastmod_precision NOT IN ('year', 'month')
            AND NOT {LASTMOD_IS_PROVEN}
    """,
    message="lastmod is later than the Last-Modified header",
    example="lastmod is {lastmod}, Last-Modified is {value}",
    effect="search engines that compare {places:date|dates} with the Last-Modified header distrust the sitemap",
    fix="Take lastmod from the last change of the content, not from the build.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",),
    checks=("E11",),
)
