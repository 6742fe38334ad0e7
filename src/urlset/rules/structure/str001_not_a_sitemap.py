"""Checks for documents that are not in a sitemap format. A sitemap is a urlset, a sitemapindex, a text file of URLs,
RSS, or Atom; this is an HTML page, an archive, an image, JSON, a product feed for Google Merchant Center, or an empty
file.

## Why is this bad
A search engine finds no URLs in it. Usually it is an error page or login page that is sent with status code 200, or a
.zip file where only gzip is allowed.

## Fails
```html
<!DOCTYPE html>
<html><head><title>Page not found</title></head>…</html>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/</loc></url>
</urlset>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Severity

RULE = EntryRule(
    code="STR001",
    name="not-a-sitemap",
    severity=Severity.ERROR,
    table="documents",
    needs=("other-kind",),
    field="kind",
    detail="""
        CASE kind
            WHEN 'html' THEN 'HTML'
            WHEN 'xml' THEN 'XML without a root element'
            WHEN 'json' THEN 'JSON'
            WHEN 'empty' THEN 'empty'
            WHEN 'product-feed' THEN 'a product feed for Google Merchant Center, whose URLs crawlers do not read'
            WHEN 'binary' THEN 'binary data in an unknown format'
            WHEN 'unknown' THEN 'text in an unknown format' || coalesce(', starting with: ' || first_line, '')
            ELSE upper(kind) || ' data'
        END
    """,
    where="""
        error IS NULL AND (
            kind NOT IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom', 'robots', 'xml')
            OR (kind = 'xml' AND root IS NULL)
        )
    """,
    message="Document is not a sitemap",
    example="the content is {detail}",
    fix="Serve the sitemap itself at this URL: XML, plain text, RSS, or Atom, uncompressed or compressed with gzip.",
    advice=(
        "Open the URL in a browser without logging in to see what the server sends instead. Then check the URL, "
        "rewrite rules, caches, and access rules."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html#otherformats",
        "https://www.sitemaps.org/faq.html",
        "https://support.google.com/webmasters/answer/7451001",
        "https://support.google.com/merchants/answer/7052112",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("C01", "A15", "A16", "B08"),
)
