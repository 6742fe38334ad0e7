"""Checks for sitemap indexes that list a document that is not a sitemap: an HTML page, JSON, an image, or an empty
document. STR001 reports the document itself.

## Why is this bad
Search engines cannot read any URLs from it. It is usually an error page or a login page that is sent with status 200.

## Fails
```text
<sitemap><loc>https://www.example.com/about.html</loc></sitemap>
```

## Passes
```text
<sitemap><loc>https://www.example.com/sitemap-pages.xml</loc></sitemap>
```
"""

from urlset.rules.listed import SITEMAP_KINDS, response_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="IDX014",
    name="child-not-a-sitemap",
    severity=Severity.ERROR,
    needs=("other-kind|robots",),
    **response_fields(
        f"kind NOT IN {SITEMAP_KINDS}",
        value="""
            CASE kind
                WHEN 'html' THEN 'an HTML page'
                WHEN 'xml' THEN 'XML, but not a sitemap'
                WHEN 'robots' THEN 'a robots.txt file'
                WHEN 'empty' THEN 'empty'
                WHEN 'product-feed' THEN 'a product feed for Google Merchant Center'
                WHEN 'binary' THEN 'binary data'
                WHEN 'unknown' THEN 'text in an unknown format'
                ELSE upper(kind) || ' data'
            END
        """,
    ),
    message="Index lists a document that is not a sitemap",
    example="{url} is {value}",
    fix="Correct the URL, or remove the entry.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("F12",),
)
