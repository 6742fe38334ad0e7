"""Checks for image records with `caption`, `geo_location`, `title`, or `license`.

## Why is this bad
Google removed these fields in May 2022 and ignores them. Its documentation recommends alternatives, such as structured
data for licenses.

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
from urlset.rules.several import all_words, any_of, first_column, null_faults

FAULTS = null_faults(
    {
        "caption": "image:caption",
        "geo_location": "image:geo_location",
        "title": "image:title",
        "license": "image:license",
    }
)

RULE = EntryRule(
    code="IMG003",
    name="image-field-deprecated",
    severity=Severity.INFO,
    table="images",
    field_of=first_column(FAULTS),
    detail=all_words(FAULTS),
    where=any_of(FAULTS),
    message="Image has deprecated fields",
    example="deprecated: {detail}",
    fix="Remove the fields.",
    sources=(
        "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",
    ),
    checks=("H03",),
)
