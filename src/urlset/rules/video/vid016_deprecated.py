"""VID016: video-field-deprecated

## What
A video with category, gallery_loc, price, tvshow, or a player_loc with allow_embed or autoplay.

## Why
Google removed them in May 2022 and ignores them.

## Fails
```xml
<video:video>…<video:category>Lamps</video:category></video:video>
```

## Passes
```xml
<video:video>…<video:duration>600</video:duration></video:video>
```

## Fix
Leave the fields out.

## Sources
- https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions
- https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
"""

from urlset.rules.rule import Rule, Scope, Severity

RULE = Rule(
    code="VID016",
    name="video-field-deprecated",
    severity=Severity.INFO,
    scope=Scope.ENTRY,
    table="videos",
    where=(
        "category IS NOT NULL OR gallery_loc IS NOT NULL OR prices IS NOT NULL OR tvshow_show_title IS NOT "
        "NULL OR tvshow_video_type IS NOT NULL OR player_loc_allow_embed IS NOT NULL OR player_loc_autoplay "
        "IS NOT NULL"
    ),
    message="A video has fields that are not read any more",
    example="category, gallery_loc, price, tvshow, allow_embed or autoplay is given",
    fix="Leave the fields out.",
    sources=(
        "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
    ),
    checks=("H16",),
)
