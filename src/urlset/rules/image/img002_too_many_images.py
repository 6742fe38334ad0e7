"""Checks for entries with more than 1,000 images. The finding points to the 1,001st image.

## Why is this bad
Google reads at most 1,000 images per page.

## Fails
```xml
<url>
  <loc>https://example.com/gallery</loc>
  <!-- image:image 1,001 times -->
</url>
```

## Passes
```xml
<url>
  <loc>https://example.com/gallery?page=1</loc>
  <!-- image:image 1,000 times -->
</url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="IMG002",
    name="too-many-images",
    severity=Severity.ERROR,
    table="images",
    value="loc",
    where="position = $max_images_per_url",
    message="Entry has more than {max_images_per_url:image|images}",
    example="{max_images_per_url:next} image of the entry: {value}",
    effect="Google ignores the images beyond the first 1,000 in {places:entry|entries}",
    fix="List at most {max_images_per_url:image|images} per page.",
    advice="List the most important images, or split the page.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",),
    checks=("H02",),
)
