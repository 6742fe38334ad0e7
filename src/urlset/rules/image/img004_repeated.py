"""Checks for images that are listed more than once in one entry.

## Why is this bad
The repetition adds no information and counts toward the limit of 1,000 images per page.

## Fails
```xml
<image:image><image:loc>https://www.example.com/lamp.jpg</image:loc></image:image>
<image:image><image:loc>https://www.example.com/lamp.jpg</image:loc></image:image>
```

## Passes
```xml
<image:image><image:loc>https://www.example.com/lamp.jpg</image:loc></image:image>
```
"""

from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="IMG004",
    name="image-repeated",
    severity=Severity.INFO,
    table="images",
    field="loc",
    query="""
        SELECT
            i.document_id, i.ordinal, min(i.line) AS line, min(i.col) AS col, CAST(NULL AS VARCHAR) AS url,
            min(i.loc) AS value, count(*) AS times
        FROM images AS i
        WHERE i.loc <> ''
        GROUP BY i.document_id, i.ordinal, i.loc_hash
        HAVING count(*) > 1
    """,
    message="Image is listed more than once for a page",
    example="{value} is listed {times:time|times}",
    fix="List each image once.",
    sources=(
        "urlset",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",
    ),
    checks=("H04",),
)
