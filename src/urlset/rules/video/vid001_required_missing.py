"""Checks for video records in which `<video:thumbnail_loc>`, `<video:title>`, or `<video:description>` is missing or
empty.

## Why is this bad
Google requires these three fields. Search Console reports a missing thumbnail or title.

## Fails
```xml
<video:video>
  <video:title>Grilling steaks</video:title>
  <video:content_loc>https://example.com/123.mp4</video:content_loc>
</video:video>
```

## Passes
```xml
<video:video>
  <video:thumbnail_loc>https://example.com/123.jpg</video:thumbnail_loc>
  <video:title>Grilling steaks</video:title>
  <video:description>How to get steaks done right</video:description>
  <video:content_loc>https://example.com/123.mp4</video:content_loc>
</video:video>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Severity

RULE = EntryRule(
    code="VID001",
    name="video-field-missing",
    severity=Severity.ERROR,
    table="videos",
    value="title",
    detail="""
        concat_ws(
            ', ',
            CASE WHEN coalesce(thumbnail_loc, '') = '' THEN 'video:thumbnail_loc' END,
            CASE WHEN coalesce(title, '') = '' THEN 'video:title' END,
            CASE WHEN coalesce(description, '') = '' THEN 'video:description' END
        )
    """,
    where="coalesce(thumbnail_loc, '') = '' OR coalesce(title, '') = '' OR coalesce(description, '') = ''",
    message="Video lacks a required field",
    example="missing: {detail}",
    effect="Google does not show {places:video|videos}",
    fix="Add the missing fields.",
    advice="Omit the video record if a video has no title or thumbnail.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("H07",),
)
