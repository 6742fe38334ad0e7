"""Checks for sitemaps that are served with neither `ETag` nor `Last-Modified`.

## Why is this bad
With either header, a crawler that already has the sitemap can ask whether it has changed, and gets 304 without a body
if it has not. Without them, the server sends the whole sitemap every time.

## Fails
```text
HTTP/1.1 200 OK
Content-Type: application/xml
```

## Passes
```text
HTTP/1.1 200 OK
Content-Type: application/xml
ETag: "5f2b"
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="FET021",
    name="no-validator",
    severity=Severity.HINT,
    table="documents",
    needs=("http-2xx",),
    where="""
        http_status = 200 AND etag IS NULL AND last_modified IS NULL
        AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')
    """,
    message="Sitemap has neither ETag nor Last-Modified",
    example="the response has neither ETag nor Last-Modified",
    fix="Send Last-Modified or ETag.",
    advice="Set Last-Modified to the time of the latest change in the sitemap, or derive an ETag from its content.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9110#section-8.8",
        "https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget",
    ),
    checks=("A19",),
    needs_server=True,
)
