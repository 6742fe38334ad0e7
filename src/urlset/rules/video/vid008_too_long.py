"""Checks for a title of more than 100 characters, a description of more than 2,048, an uploader of more than 255, a
category of more than 256, or more than 32 tags.

## Why is this bad
Google documents the limits of description, uploader and tags and ignores what is past them. That of the title is from
the schema; the documentation does not name one any more.

## Fails
```xml
<video:video>…<video:description>… (2,049 characters)</video:description></video:video>
```

## Passes
```xml
<video:video>…<video:description>How to hang a lamp.</video:description></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID008",
    name="video-text-too-long",
    severity=Severity.WARNING,
    table="videos",
    value="title",
    detail="""concat_ws(
        ', ',
        CASE WHEN length(title) > 100 THEN 'video:title has ' || length(title) || ' characters, 100 are allowed' END,
        CASE WHEN length(description) > 2048
            THEN 'video:description has ' || length(description) || ' characters, 2,048 are allowed' END,
        CASE WHEN length(uploader) > 255
            THEN 'video:uploader has ' || length(uploader) || ' characters, 255 are allowed' END,
        CASE WHEN length(category) > 256
            THEN 'video:category has ' || length(category) || ' characters, 256 are allowed' END,
        CASE WHEN len(tags) > 32 THEN 'there are ' || len(tags) || ' video:tag, 32 are allowed' END
    )""",
    where=(
        "length(title) > 100 OR length(description) > 2048 OR length(uploader) > 255 OR length(category) > "
        "256 OR len(tags) > 32"
    ),
    message="A text of a video is too long",
    example="{detail}",
    fix="Shorten the text, or leave out tags.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd",
    ),
    checks=("H11",),
)
