"""Checks for a view_count that is not a whole number of 0 or more.

## Why is this bad
Google cannot read it; thousands may not be set apart.

## Fails
```xml
<video:video>…<video:view_count>12,345</video:view_count></video:video>
```

## Passes
```xml
<video:video>…<video:view_count>12345</video:view_count></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID007",
    name="video-view-count-invalid",
    severity=Severity.WARNING,
    table="videos",
    field="view_count",
    where="view_count <> '' AND NOT regexp_matches(view_count, '^[+]?[0-9]+$')",
    message="View count of a video is invalid",
    example="video:view_count {value} is no whole number",
    fix="Write the number in digits alone.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H11",),
)
