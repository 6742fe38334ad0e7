"""Checks for more than 1,000 images in one entry. The finding points to the 1,001st.

## Why is this bad
Google reads up to 1,000 images for each page.

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
    message="An entry has more than {max_images_per_url:image|images}",
    example="this is the {max_images_per_url:next} image of its entry: {value}",
    fix="List at most {max_images_per_url:image|images} for each page.",
    advice="List the images that matter most, or divide the page.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",),
    checks=("H02",),
)
