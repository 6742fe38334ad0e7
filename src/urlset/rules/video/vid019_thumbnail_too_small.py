"""Checks for a thumbnail of less than 60 x 30 pixels. No largest size is published.

## Why is this bad
Google asks for at least that, prefers larger ones, and does not index a video without a thumbnail that it can show.
Search Console reports smaller ones with the sitemap.

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
    message="The thumbnail is too small",
    example="{url} is of {value} pixels; at least 60 x 30 are asked for",
    fix="Use a larger picture: 1280 x 720 pixels serves all purposes.",
    sources=(
        "https://developers.google.com/search/docs/appearance/video",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("H17",),
)
