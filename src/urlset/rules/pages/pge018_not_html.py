"""Checks for listed URLs that return something other than a page or document, such as an image, a script, a feed, or an
archive. HTML, plain text, Markdown, RTF, PDF, PostScript, and office documents are accepted. A feed, a sitemap, JSON,
or an image that is sent as HTML is reported as well: exports of sites save them under names such as `feed/index.html`.

## Why is this bad
Search engines index pages and documents. Images and videos belong in the entry of the page that shows them.

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
from urlset.web.indexability import NOT_HTML, OTHER_CONTENT

TYPE = "lower(trim(split_part(content_type, ';', 1)))"

RULE = EntryRule(
    code="PGE018",
    name="page-not-html",
    severity=Severity.INFO,
    table="pages",
    needs=("maybe-not-indexable",),
    field="content_type",
    value=TYPE,
    where=f"status BETWEEN 200 AND 299 AND {NOT_HTML}",
    detail=f"""
        CASE WHEN {OTHER_CONTENT} THEN concat(
                CASE not_a_page WHEN 'json' THEN 'is JSON' WHEN 'xml' THEN 'is XML' WHEN 'binary' THEN 'is not text'
                    ELSE concat('is a ', not_a_page) END,
                ', although its Content-Type is ', {TYPE})
            ELSE concat('has the Content-Type ', {TYPE}) END
    """,
    message="Listed URL is not an HTML page",
    example="{url} {detail}",
    fix="List the page that links to the file instead.",
    advice="Put images and videos in the entry of the page that shows them.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/indexable-file-types",),
    checks=("J14",),
)
