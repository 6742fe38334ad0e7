"""Checks for URLs whose path has the file extension of an image, a stylesheet, a script, a data file, a font, a feed,
or an archive.

## Why is this bad
A sitemap lists pages. Images belong in the `<image:image>` of the page that shows them; the other files do not become
search results. Documents such as PDF files do, and are not reported.

## Fails
```xml
<url><loc>https://www.example.com/images/lamp.jpg</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC017",
    name="url-not-a-page",
    severity=Severity.INFO,
    table="urls",
    field="loc",
    traits=("file",),
    detail="regexp_extract(lower(path), '[.]([a-z0-9]+)$', 1)",
    message="URL is a file, not a page",
    example="loc {value} is a .{detail} file",
    fix="List the page that uses the file instead.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",
        "urlset",
    ),
    checks=("D20",),
)
