"""Checks for `content_loc` URLs that end in .html, .htm, or .swf.

## Why is this bad
`content_loc` must be the URL of the video file. Google rejects HTML pages and Flash players.

## Fails
```xml
<video:video>…<video:content_loc>https://www.example.com/lamp.html</video:content_loc></video:video>
```

## Passes
```xml
<video:video>…<video:content_loc>https://www.example.com/lamp.mp4</video:content_loc></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID018",
    name="video-content-not-a-file",
    severity=Severity.WARNING,
    table="videos",
    field="content_loc",
    detail="CASE WHEN regexp_matches(lower(content_loc), '[.]swf([?#]|$)') THEN 'a Flash file' ELSE 'an HTML page' END",
    where="content_loc_problem IS NULL AND regexp_matches(lower(content_loc), '^[^?#]*[.](html?|swf)([?#]|$)')",
    message="content_loc is not a video file",
    example="video:content_loc {value} is {detail}",
    fix="Write the URL of the video file, or use player_loc for the URL of the player.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("H10",),
)
