"""Checks for a sitemap that is served with a Content-Type of something else: text/html, application/json, an image.
What servers say of files that they do not know (text/plain, application/octet-stream) is let pass.

## Why is this bad
Engines look at the content, but some readers go by the type, browsers show nonsense, and proxies may change what they
take for HTML.

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
    field="content_type",
    detail="kind",
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
    message="The Content-Type is that of something else",
    example="Content-Type is {value}, but the document is {detail}",
    fix="Serve the sitemap with its own Content-Type.",
    advice=(
        "XML is application/xml or text/xml, text is text/plain, a feed is application/rss+xml or "
        "application/atom+xml, and gzip is application/gzip."
    ),
    sources=(
        "https://www.rfc-editor.org/rfc/rfc7303",
        "https://www.rfc-editor.org/rfc/rfc9110#section-8.3",
    ),
    checks=("A14",),
)
