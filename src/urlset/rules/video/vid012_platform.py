"""Checks for `platform` values other than `web`, `mobile`, and `tv`, separated by spaces.

## Why is this bad
Google supports only these three.

## Fails
```xml
<video:video>…<video:platform relationship="allow">desktop</video:platform></video:video>
```

## Passes
```xml
<video:video>…<video:platform relationship="allow">web tv</video:platform></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID012",
    name="video-platform-unknown",
    severity=Severity.ERROR,
    table="videos",
    field="platform",
    detail="trim(regexp_replace(lower(platform), '\\b(web|mobile|tv)\\b', '', 'g'))",
    where="platform <> '' AND NOT regexp_matches(lower(platform), '^ *((web|mobile|tv)( +|$))+$')",
    message="Video platform is unknown",
    example="video:platform is {value}; unknown: {detail}",
    effect="Google may show {places:video|videos} on the wrong devices",
    fix="Write web, mobile, or tv, separated by spaces.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H13",),
)
