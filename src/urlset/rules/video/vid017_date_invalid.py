"""VID017: video-date-invalid

## What
An expiration_date or publication_date that is not a date of W3C datetime.

## Why
Google cannot read it and does as if it were not there.

## Fails
```xml
<video:video>…<video:publication_date>1 June 2025</video:publication_date></video:video>
```

## Passes
```xml
<video:video>…<video:publication_date>2025-06-01T10:00:00+02:00</video:publication_date></video:video>
```

## Fix
Write YYYY-MM-DD, or a time with seconds and a timezone.

## Sources
- https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
- https://www.w3.org/TR/NOTE-datetime
"""

from urlset.rules.rule import Fixable, Rule, Scope, Severity

RULE = Rule(
    code="VID017",
    name="video-date-invalid",
    severity=Severity.WARNING,
    scope=Scope.ENTRY,
    table="videos",
    value="CASE WHEN expiration_date_problem <> 'empty' THEN expiration_date ELSE publication_date END",
    where="expiration_date_problem <> 'empty' OR publication_date_problem <> 'empty'",
    message="A date of a video is invalid",
    example="{value} is no date as YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm",
    fix="Write YYYY-MM-DD, or a time with seconds and a timezone.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.w3.org/TR/NOTE-datetime",
    ),
    checks=("H11",),
    fixable=Fixable.SOMETIMES,
)
