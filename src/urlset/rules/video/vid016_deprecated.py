"""Checks for a video with category, gallery_loc, price, tvshow, or a player_loc with allow_embed or autoplay.

## Why is this bad
Google removed them in May 2022 and ignores them.

## Fails
```xml
<video:video>…<video:category>Lamps</video:category></video:video>
```

## Passes
```xml
<video:video>…<video:duration>600</video:duration></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID016",
    name="video-field-deprecated",
    severity=Severity.INFO,
    table="videos",
    detail="""concat_ws(
        ', ', CASE WHEN category IS NOT NULL THEN 'video:category' END,
        CASE WHEN gallery_loc IS NOT NULL THEN 'video:gallery_loc' END,
        CASE WHEN prices IS NOT NULL THEN 'video:price' END,
        CASE WHEN coalesce(tvshow_show_title, tvshow_video_type) IS NOT NULL THEN 'video:tvshow' END,
        CASE WHEN player_loc_allow_embed IS NOT NULL THEN 'allow_embed of video:player_loc' END,
        CASE WHEN player_loc_autoplay IS NOT NULL THEN 'autoplay of video:player_loc' END
    )""",
    where=(
        "category IS NOT NULL OR gallery_loc IS NOT NULL OR prices IS NOT NULL OR tvshow_show_title IS NOT "
        "NULL OR tvshow_video_type IS NOT NULL OR player_loc_allow_embed IS NOT NULL OR player_loc_autoplay "
        "IS NOT NULL"
    ),
    message="A video has fields that are not read any more",
    example="not read any more: {detail}",
    fix="Leave the fields out.",
    sources=(
        "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
    ),
    checks=("H16",),
)
