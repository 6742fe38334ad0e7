"""Checks for a sitemap that is served with neither ETag nor Last-Modified.

## Why is this bad
With one of them a crawler that has the sitemap already can ask whether it has changed, and gets 304 and no body when it
has not. Without, all of it is sent each time.

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
    where="""
        http_status = 200 AND etag IS NULL AND last_modified IS NULL
        AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')
    """,
    message="The sitemap has no ETag and no Last-Modified",
    example="neither ETag nor Last-Modified is sent",
    fix="Send Last-Modified or ETag.",
    advice="Last-Modified is the time of the newest change in the sitemap; an ETag is made from its content.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9110#section-8.8",
        "https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget",
    ),
    checks=("A19",),
)
