"""Checks for listed pages beyond the size that Googlebot reads: 2 MB of HTML, or 64 MB of a PDF. Sizes count
after decompression. The limits are taken as 2 MiB and 64 MiB, so that a page in doubt is not reported.

## Why is this bad
Googlebot indexes only the part before the limit. Text, links, and structured data after it do not count. urlset, too,
read only the first part of the page, so findings about the rest may be missing.

## Fails
```text
GET /report
HTTP/1.1 200 OK
Content-Type: text/html

… 3,400,000 bytes
```

## Passes
```text
GET /report
HTTP/1.1 200 OK
Content-Type: text/html

… 120,000 bytes
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE030",
    name="page-too-large",
    severity=Severity.WARNING,
    table="pages",
    field="bytes",
    value="greatest(coalesce(bytes, 0), coalesce(content_length, 0))",
    where="""
        status BETWEEN 200 AND 299 AND (
            (content_type ILIKE 'application/pdf%' AND (bytes > 67108864 OR content_length > 67108864))
            OR ((content_type ILIKE 'text/html%' OR content_type ILIKE 'application/xhtml%')
                AND (bytes > 2097152 OR content_length > 2097152 OR bytes = 2097152 AND error_kind = 'too-large'))
        )
    """,
    message="Page is larger than Googlebot reads",
    example="{url} has at least {value:byte|bytes}",
    effect="Googlebot ignores the end of {places:page|pages}",
    fix="Move inlined images, styles, and data out of the page, or split it.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/googlebot",),
    checks=("J12",),
)
