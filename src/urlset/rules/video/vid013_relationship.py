"""Checks for a restriction or platform without the attribute relationship, or with another value than allow and deny.

## Why is this bad
Without it the list may mean either; the attribute is required.

## Fails
```xml
<video:video>…<video:restriction>US</video:restriction></video:video>
```

## Passes
```xml
<video:video>…<video:restriction relationship="allow">US</video:restriction></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID013",
    name="video-relationship-invalid",
    severity=Severity.ERROR,
    table="videos",
    value=(
        "CASE WHEN restriction IS NOT NULL AND coalesce(restriction_relationship, '') NOT IN ('allow', "
        "'deny') THEN restriction_relationship ELSE platform_relationship END"
    ),
    detail="""concat_ws(
        ', ',
        CASE WHEN restriction IS NOT NULL AND coalesce(restriction_relationship, '') NOT IN ('allow', 'deny')
            THEN 'video:restriction has '
                || coalesce('relationship=' || restriction_relationship, 'no relationship') END,
        CASE WHEN platform IS NOT NULL AND coalesce(platform_relationship, '') NOT IN ('allow', 'deny')
            THEN 'video:platform has ' || coalesce('relationship=' || platform_relationship, 'no relationship') END
    )""",
    where=(
        "(restriction IS NOT NULL AND coalesce(restriction_relationship, '') NOT IN ('allow', 'deny')) OR "
        "(platform IS NOT NULL AND coalesce(platform_relationship, '') NOT IN ('allow', 'deny'))"
    ),
    message="A restriction of a video does not say allow or deny",
    example="{detail}",
    fix='Add relationship="allow" or relationship="deny".',
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H13",),
)
