"""Checks for pages that are not served as HTML, and for sitemaps, feeds, robots.txt, and llms.txt that are. Types that
mean the same to search engines, such as `text/xml` and `application/xml`, are not distinguished.

## Why is this bad
Browsers download a page that is not HTML, and search engines may not index it.

## Fails
```text
dist/about/index.html
GET https://example.com/about/: Content-Type: application/octet-stream
```

## Passes
```text
dist/sitemap.xml
GET https://example.com/sitemap.xml: Content-Type: text/xml
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="DEP007",
    name="content-type-differs",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'content-type'",
    message="Content-Type does not match the built file",
    example="{about:whole}",
    effect="search engines may not read {places:page or file|pages or files}",
    fix="Set the Content-Type in the configuration of the host, or name the file as the host expects.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/indexable-file-types",),
    needs_server=True,
    checks=(
        "A14",
        "J14",
    ),
)
