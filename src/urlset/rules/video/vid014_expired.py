"""Checks for a video whose expiration_date is in the past.

## Why is this bad
Google takes the video out of its results, and the entry is of no use.

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
    message="A video has expired",
    example="video:expiration_date {value} is over",
    fix="Remove the record, or correct the date.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H14",),
)
