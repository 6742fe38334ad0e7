"""Checks for videos whose `content_loc` or `player_loc` is the URL of the page itself.

## Why is this bad
The page is not the video. Google requires both to differ from `<loc>`; Search Console reports that the two locations
are the same.

## Fails
```xml
<url>
  <loc>https://example.com/videos/123</loc>
  <video:video>
    …
    <video:content_loc>https://example.com/videos/123</video:content_loc>
  </video:video>
</url>
```

## Passes
```xml
<url>
  <loc>https://example.com/videos/123</loc>
  <video:video>
    …
    <video:content_loc>https://example.com/files/123.mp4</video:content_loc>
  </video:video>
</url>
```
"""

from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="VID003",
    name="video-location-is-page",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    needs=("videos",),
    query="""
        SELECT
            v.document_id, v.ordinal, v.line, v.col, u.loc AS url, u.loc AS value,
            CASE WHEN v.content_loc_hash = u.loc_hash THEN 'video:content_loc' ELSE 'video:player_loc' END AS element
        FROM videos AS v
        JOIN urls AS u ON u.document_id = v.document_id AND u.ordinal = v.ordinal
        WHERE u.loc <> '' AND u.loc_hash IN (v.content_loc_hash, v.player_loc_hash)
    """,
    message="Video location is the page itself",
    example="{element} is the same as loc",
    effect="Google does not find the file or player of {places:video|videos}",
    fix="Write the URL of the video file (content_loc) or of the player (player_loc).",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("H09",),
)
