"""Checks for `duration` values that are not an integer number of seconds from 1 to 28,800 (8 hours).

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
    message="Video duration is invalid",
    example="video:duration {value} is not an integer from 1 to 28,800",
    effect="Google ignores {places:duration|durations}",
    fix="Write the duration of the video in whole seconds.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H11",),
)
