"""Checks for `view_count` values that are not a non-negative integer.

## Why is this bad
Google cannot read the value. Thousands separators are not allowed.

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
    message="Video view count is invalid",
    example="video:view_count {value} is not a non-negative integer",
    effect="Google ignores {places:view count|view counts}",
    fix="Write the number with digits only.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H11",),
)
