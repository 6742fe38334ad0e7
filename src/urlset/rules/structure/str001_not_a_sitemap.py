"""Checks for a document that is none of the formats of a sitemap: no urlset, sitemapindex, text file of URLs, RSS or
Atom, but an HTML page, an archive, an image, JSON, nothing at all.

## Why is this bad
An engine reads no URL from it. Most often it is an error page or a login page that is sent with status 200, or a .zip
where only gzip is allowed.

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
    field="kind",
    detail="""
        CASE kind
            WHEN 'html' THEN 'an HTML page'
            WHEN 'xml' THEN 'XML without a root element'
            WHEN 'json' THEN 'JSON'
            WHEN 'empty' THEN 'empty'
            WHEN 'binary' THEN 'binary data of an unknown kind'
            WHEN 'unknown' THEN 'text of an unknown kind'
            ELSE 'a file of the kind ' || upper(kind)
        END
    """,
    where="""
        error IS NULL AND (
            kind NOT IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom', 'robots', 'xml')
            OR (kind = 'xml' AND root IS NULL)
        )
    """,
    message="The document is not a sitemap",
    example="the document is {detail}",
    fix="Serve the sitemap itself at this address: XML, plain text, RSS or Atom, packed with gzip or not at all.",
    advice=(
        "Open the URL in a browser without logging in to see what the server sends instead. Then check the URL, "
        "rewrite rules, caches and access rules."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html#otherformats",
        "https://www.sitemaps.org/faq.html",
        "https://support.google.com/webmasters/answer/7451001",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("C01", "A15", "A16", "B08"),
)
