"""Checks for thumbnails smaller than 60 x 30 pixels. No maximum size is published.

## Why is this bad
Google requires at least this size, prefers larger thumbnails, and does not index a video without a thumbnail that it
can show. Search Console reports smaller thumbnails with the sitemap.

## Fails
```text
<video:thumbnail_loc>https://www.example.com/lamp-16.png</video:thumbnail_loc>
16 x 16 pixels
```

## Passes
```text
<video:thumbnail_loc>https://www.example.com/lamp.png</video:thumbnail_loc>
640 x 360 pixels
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID019",
    name="video-thumbnail-too-small",
    severity=Severity.WARNING,
    table="media",
    field="url",
    value="width || ' x ' || height",
    where="kind = 'thumbnail' AND (width < 60 OR height < 30)",
    message="Video thumbnail is too small",
    example="size of {url}: {value}; the minimum is 60 x 30 pixels",
    effect="Google does not use {places:thumbnail|thumbnails}",
    fix="Use a larger image, for example 1280 x 720.",
    sources=(
        "https://developers.google.com/search/docs/appearance/video",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("H17",),
)
