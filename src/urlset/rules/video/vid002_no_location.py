"""Checks for video records with neither `<video:content_loc>` nor `<video:player_loc>`.

## Why is this bad
Google uses the video file or the player to verify that there is a video, and ignores the record if both are missing.
Validation against the official schema does not catch this.

## Fails
```xml
<video:video>
  <video:thumbnail_loc>https://example.com/123.jpg</video:thumbnail_loc>
  <video:title>Grilling steaks</video:title>
  <video:description>How to get steaks done right</video:description>
</video:video>
```

## Passes
```xml
<video:video>
  <video:thumbnail_loc>https://example.com/123.jpg</video:thumbnail_loc>
  <video:title>Grilling steaks</video:title>
  <video:description>How to get steaks done right</video:description>
  <video:player_loc>https://example.com/player?video=123</video:player_loc>
</video:video>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Severity

RULE = EntryRule(
    code="VID002",
    name="video-location-missing",
    severity=Severity.ERROR,
    table="videos",
    value="title",
    where="coalesce(content_loc, '') = '' AND coalesce(player_loc, '') = ''",
    message="Video has neither content_loc nor player_loc",
    example="video {value} has neither video:content_loc nor video:player_loc",
    effect="Google does not find the file or player of {places:video|videos}",
    fix="Add video:content_loc or video:player_loc.",
    advice="Prefer the URL of the video file (`content_loc`) to the URL of the player (`player_loc`).",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://developers.google.com/search/blog/2010/08/video-sitemaps-understanding-location",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("H08",),
)
