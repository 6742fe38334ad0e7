"""Checks for a listed address that answers with something that is no page: an image, a script, a feed, an archive.

## Why is this bad
Engines index HTML, PDF and a few kinds of text and office documents. Images and videos belong into the entry of the
page that shows them.

## Fails
```text
GET /chairs.zip
Content-Type: application/zip
```

## Passes
```text
GET /chairs
Content-Type: text/html
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE018",
    name="page-not-html",
    severity=Severity.INFO,
    table="pages",
    field="content_type",
    value="lower(trim(split_part(content_type, ';', 1)))",
    where=r"""
        status BETWEEN 200 AND 299 AND content_type <> ''
            AND NOT regexp_matches(
                lower(trim(split_part(content_type, ';', 1))),
                concat('^(text/(html|plain|markdown|rtf)|application/(xhtml\+xml|pdf|rtf|postscript|msword',
                    '|vnd\.(openxmlformats|oasis|ms-).*))$')
            )
    """,
    message="What is listed is no page",
    example="{url} is {value}",
    fix="List the page instead.",
    advice="Images and videos belong in the entry of their page.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/indexable-file-types",),
    checks=("J14",),
)
