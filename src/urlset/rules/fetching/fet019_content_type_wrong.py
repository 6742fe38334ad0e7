"""Checks for sitemaps that are served with the `Content-Type` of something else, such as text/html, application/json,
or an image. The defaults of servers for unknown files (text/plain, application/octet-stream) and the types of gzip
files are accepted.

## Why is this bad
Search engines go by the content, but some tools go by the type, browsers display the sitemap incorrectly, and proxies
may modify what they take for HTML.

## Fails
```text
Content-Type: text/html; charset=utf-8

<urlset …
```

## Passes
```text
Content-Type: application/xml

<urlset …
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="FET019",
    name="content-type-wrong",
    severity=Severity.WARNING,
    table="documents",
    needs=("http-2xx",),
    field="content_type",
    detail="""
        CASE kind
            WHEN 'urlset' THEN 'an XML sitemap' WHEN 'sitemapindex' THEN 'a sitemap index'
            WHEN 'text' THEN 'a text sitemap' WHEN 'rss' THEN 'an RSS feed' ELSE 'an Atom feed'
        END
    """,
    where="""
        http_status BETWEEN 200 AND 299 AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')
        AND trim(lower(split_part(content_type, ';', 1))) NOT IN (
            '', 'text/plain', 'application/octet-stream', 'binary/octet-stream', 'application/gzip',
            'application/x-gzip', 'application/download', 'application/force-download'
        )
        AND (
            kind = 'text'
            OR NOT regexp_matches(lower(content_type), '^ *((application|text)/(x-)?xml|[^; ]+[+]xml) *(;|$)')
        )
    """,
    message="Content-Type does not match the content",
    example="Content-Type is {value}, but the document is {detail}",
    effect="some crawlers read {places:document|documents} as something else, or not at all",
    fix="Serve the sitemap with the Content-Type of its format.",
    advice=(
        "Use application/xml or text/xml for XML, text/plain for text, application/rss+xml or "
        "application/atom+xml for feeds, and application/gzip for gzip files."
    ),
    sources=(
        "https://www.rfc-editor.org/rfc/rfc7303",
        "https://www.rfc-editor.org/rfc/rfc9110#section-8.3",
    ),
    checks=("A14",),
)
