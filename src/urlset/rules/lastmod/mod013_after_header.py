"""Checks for a lastmod that is more than a day later than the Last-Modified of the page. The other way round is not
looked at: servers that make pages on request send the present as Last-Modified, and a build touches files that did not
change.

## Why is this bad
The sitemap says that the page changed, the server says that it did not. Google uses lastmod only where it is
consistently accurate, and compares it with what it finds.

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

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD013",
    name="lastmod-after-last-modified",
    severity=Severity.WARNING,
    table="pages",
    field="last_modified",
    where="""
        status BETWEEN 200 AND 299 AND lastmod_at > last_modified_at + INTERVAL 1 DAY
            AND lastmod_precision NOT IN ('year', 'month')
    """,
    message="lastmod is later than the page's Last-Modified",
    example="lastmod is {lastmod}, and the page says Last-Modified: {value}",
    fix="Take lastmod from the change of the content, not from the build.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",),
    checks=("E11",),
)
