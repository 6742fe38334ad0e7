"""Checks for video records with `category`, `gallery_loc`, `price`, or `tvshow`, or with `allow_embed` or `autoplay` on
`player_loc`.

## Why is this bad
Google removed these fields and attributes in May 2022 and ignores them.

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
from urlset.rules.several import Fault, all_words, any_of, first_column, null_faults

FAULTS = (
    *null_faults({"category": "video:category", "gallery_loc": "video:gallery_loc", "prices": "video:price"}),
    *null_faults({"tvshow_show_title": "video:tvshow"}),
    Fault("tvshow_video_type", "tvshow_show_title IS NULL AND tvshow_video_type IS NOT NULL", "'video:tvshow'"),
    *null_faults({"player_loc_allow_embed": "allow_embed of video:player_loc"}),
    *null_faults({"player_loc_autoplay": "autoplay of video:player_loc"}),
)

RULE = EntryRule(
    code="VID016",
    name="video-field-deprecated",
    severity=Severity.INFO,
    table="videos",
    field_of=first_column(FAULTS),
    detail=all_words(FAULTS),
    where=any_of(FAULTS),
    message="Video has deprecated fields",
    example="deprecated: {detail}",
    fix="Remove the fields and attributes.",
    sources=(
        "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
    ),
    checks=("H16",),
)
