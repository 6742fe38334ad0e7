"""Checks for videos whose `expiration_date` is in the past.

## Why is this bad
Google removes expired videos from its results, so the record has no effect.

## Fails
```xml
<video:video>…<video:expiration_date>2019-06-01</video:expiration_date></video:video>
```

## Passes
```xml
<video:video>…<video:expiration_date>2099-06-01</video:expiration_date></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID014",
    name="video-expired",
    severity=Severity.WARNING,
    table="videos",
    field="expiration_date",
    where="expiration_date_at < $now",
    message="Video has expired",
    example="video:expiration_date is {value}",
    effect="Google no longer shows {places:video|videos}",
    fix="Remove the video record, or correct the date.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H14",),
)
