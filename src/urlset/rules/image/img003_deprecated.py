"""Checks for an image with caption, geo_location, title or license.

## Why is this bad
Google removed them in May 2022 and ignores them; its documentation recommends other ways, structured data for
licenses.

## Fails
```xml
<image:image>
  <image:loc>https://www.example.com/lamp.jpg</image:loc>
  <image:title>A lamp</image:title>
</image:image>
```

## Passes
```xml
<image:image><image:loc>https://www.example.com/lamp.jpg</image:loc></image:image>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="IMG003",
    name="image-field-deprecated",
    severity=Severity.INFO,
    table="images",
    detail="""concat_ws(
        ', ', CASE WHEN caption IS NOT NULL THEN 'image:caption' END,
        CASE WHEN geo_location IS NOT NULL THEN 'image:geo_location' END,
        CASE WHEN title IS NOT NULL THEN 'image:title' END, CASE WHEN license IS NOT NULL THEN 'image:license' END
    )""",
    where="caption IS NOT NULL OR geo_location IS NOT NULL OR title IS NOT NULL OR license IS NOT NULL",
    message="An image has fields that are not read any more",
    example="not read any more: {detail}",
    fix="Leave the fields out.",
    sources=(
        "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",
    ),
    checks=("H03",),
)
