"""Checks for listed URLs that return something other than a page or document, such as an image, a script, a feed, or an
archive. HTML, plain text, Markdown, RTF, PDF, PostScript, and office documents are accepted.

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

from urlset.pages import NOT_HTML
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE018",
    name="page-not-html",
    severity=Severity.INFO,
    table="pages",
    field="content_type",
    value="lower(trim(split_part(content_type, ';', 1)))",
    where=f"status BETWEEN 200 AND 299 AND {NOT_HTML}",
    message="Listed URL is not an HTML page",
    example="{url} has the Content-Type {value}",
    fix="List the page that links to the file instead.",
    advice="Put images and videos in the entry of the page that shows them.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/indexable-file-types",),
    checks=("J14",),
)
