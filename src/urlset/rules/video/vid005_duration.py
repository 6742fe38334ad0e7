"""Checks for a duration that is not a whole number of seconds from 1 to 28,800, which is 8 hours.

## Why is this bad
Google rejects the video. The official schema accepts 0.

## Fails
```xml
<video:video>…<video:duration>10:30</video:duration></video:video>
```

## Passes
```xml
<video:video>…<video:duration>600</video:duration></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID005",
    name="video-duration-invalid",
    severity=Severity.ERROR,
    table="videos",
    field="duration",
    where=(
        "duration <> '' AND (duration_value IS NULL OR duration_value < 1 OR duration_value > 28800 OR "
        "duration_value <> floor(duration_value) OR contains(duration, '.'))"
    ),
    message="Duration of a video is invalid",
    example="video:duration {value} is no whole number from 1 to 28,800",
    fix="Write the length of the video in whole seconds.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H11",),
)
