"""Checks for a family_friendly, requires_subscription or live that is neither yes nor no.

## Why is this bad
These are the only values; what engines make of others is not documented.

## Fails
```xml
<video:video>…<video:live>true</video:live></video:video>
```

## Passes
```xml
<video:video>…<video:live>yes</video:live></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID009",
    name="video-yes-no-invalid",
    severity=Severity.WARNING,
    table="videos",
    value=(
        "CASE WHEN lower(family_friendly) NOT IN ('yes', 'no') THEN family_friendly WHEN "
        "lower(requires_subscription) NOT IN ('yes', 'no') THEN requires_subscription ELSE live END"
    ),
    detail="""concat_ws(
        ', ',
        CASE WHEN family_friendly <> '' AND lower(family_friendly) NOT IN ('yes', 'no')
            THEN 'video:family_friendly is ' || family_friendly END,
        CASE WHEN requires_subscription <> '' AND lower(requires_subscription) NOT IN ('yes', 'no')
            THEN 'video:requires_subscription is ' || requires_subscription END,
        CASE WHEN live <> '' AND lower(live) NOT IN ('yes', 'no') THEN 'video:live is ' || live END
    )""",
    where=(
        "(family_friendly <> '' AND lower(family_friendly) NOT IN ('yes', 'no')) OR (requires_subscription "
        "<> '' AND lower(requires_subscription) NOT IN ('yes', 'no')) OR (live <> '' AND lower(live) NOT IN "
        "('yes', 'no'))"
    ),
    message="A field of a video is neither yes nor no",
    example="{detail}",
    fix="Write yes or no.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H11",),
)
