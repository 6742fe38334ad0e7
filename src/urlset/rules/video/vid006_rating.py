"""Checks for `rating` values that are not a decimal number from 0.0 to 5.0.

## Why is this bad
Google only supports ratings on this scale.

## Fails
```xml
<video:video>…<video:rating>87</video:rating></video:video>
```

## Passes
```xml
<video:video>…<video:rating>4.2</video:rating></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID006",
    name="video-rating-invalid",
    severity=Severity.WARNING,
    table="videos",
    field="rating",
    where="rating <> '' AND (rating_value IS NULL OR rating_value < 0 OR rating_value > 5)",
    message="Video rating is invalid",
    example="video:rating {value} is not a number from 0.0 to 5.0",
    effect="Google ignores {places:rating|ratings}",
    fix="Write the rating on a scale from 0.0 to 5.0, with a decimal point.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H11",),
)
