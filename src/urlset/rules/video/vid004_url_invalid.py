"""VID004: video-url-invalid

## What
A thumbnail_loc, content_loc or player_loc that is given but is not a valid absolute http or https URL.

## Why
Engines cannot fetch the picture, the file or the player, and pass over the video.

## Fails
```xml
<video:thumbnail_loc>/thumbs/123.jpg</video:thumbnail_loc>
```

## Passes
```xml
<video:thumbnail_loc>https://example.com/thumbs/123.jpg</video:thumbnail_loc>
```

## Fix
Write the full URL, with the scheme and the host, percent-encoded.

## Sources
- https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
- https://www.rfc-editor.org/rfc/rfc3986#section-4.3
"""

from urlset.rules.rule import CheckEffect, Fixable, Rule, Scope, Severity

RULE = Rule(
    code="VID004",
    name="video-url-invalid",
    severity=Severity.ERROR,
    scope=Scope.ENTRY,
    table="videos",
    value="""
        CASE
            WHEN thumbnail_loc_problem <> 'empty' THEN thumbnail_loc
            WHEN content_loc_problem <> 'empty' THEN content_loc
            ELSE player_loc
        END
    """,
    detail="""
        CASE
            WHEN thumbnail_loc_problem <> 'empty' THEN 'video:thumbnail_loc'
            WHEN content_loc_problem <> 'empty' THEN 'video:content_loc'
            ELSE 'video:player_loc'
        END
    """,
    where="thumbnail_loc_problem <> 'empty' OR content_loc_problem <> 'empty' OR player_loc_problem <> 'empty'",
    message="A URL of a video is invalid",
    example="{detail} {value} is not a valid absolute http or https URL",
    fix="Write the full URL, with https:// and the host.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.rfc-editor.org/rfc/rfc3986#section-4.3",
    ),
    check_effect=CheckEffect.WARN,
    checks=("H07", "H08"),
    fixable=Fixable.SOMETIMES,
)
