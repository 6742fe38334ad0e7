"""Checks for `content_loc` URLs that are no video file by their path: HTML pages, Flash players, images, and pages with
a player, such as the watch pages of YouTube, Vimeo, and Dailymotion.

## Why is this bad
`content_loc` must be the URL of the video file. Google rejects HTML pages and Flash players.

## Fails
```xml
<video:video>…<video:content_loc>https://www.example.com/lamp.html</video:content_loc></video:video>
<video:video>…<video:content_loc>https://www.youtube.com/watch?v=ra_UntRgwHc</video:content_loc></video:video>
```

## Passes
```xml
<video:video>…<video:content_loc>https://www.example.com/lamp.mp4</video:content_loc></video:video>
<video:video>…<video:player_loc>https://www.youtube.com/embed/ra_UntRgwHc</video:player_loc></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity

_URL = "lower(content_loc)"
_HOST = "^[a-z]+://([^/?#@]*@)?([a-z0-9-]+[.])*"
# Hosts that have only pages: the files are on others, such as googlevideo.com and vimeocdn.com.
_SITES = (
    f"{_HOST}(youtube(-nocookie)?[.]com|youtu[.]be|dailymotion[.]com|dai[.]ly|facebook[.]com|fb[.]watch|"
    "instagram[.]com|tiktok[.]com|twitch[.]tv|rumble[.]com|bilibili[.]com|rutube[.]ru|loom[.]com)(:[0-9]*)?([/?#]|$)"
)
_VIMEO = "^[a-z]+://((www[.])?vimeo[.]com/([^?#]*/)?[0-9]+(/[0-9a-f]+)?|player[.]vimeo[.]com/video/[0-9]+)/?([?#]|$)"
_PLAYER = f"{_HOST}[^/?#]*/([^?#]*/)?(watch|embed|player)([/?#]|$)"
_FILE = "[.](mp4|m4v|mov|webm|ogv|ogg|mkv|avi|wmv|flv|f4v|mpe?g|3gp2?|ts|asf|m3u8?|mpd)([/?#&:]|$)"
_IS_PLAYER = f"regexp_matches({_URL}, '{_SITES}|{_VIMEO}|{_PLAYER}') AND NOT regexp_matches({_URL}, '{_FILE}')"


def _ends(extensions: str) -> str:
    """Return SQL for whether the path has one of these file extensions."""
    return f"regexp_matches({_URL}, '^[a-z]+://[^/?#]*/[^?#]*[.]({extensions})([?#]|$)')"


RULE = EntryRule(
    code="VID018",
    name="video-content-not-a-file",
    severity=Severity.WARNING,
    table="videos",
    field="content_loc",
    detail=f"""CASE
        WHEN {_ends("swf")} THEN 'a Flash file'
        WHEN {_ends("jpe?g|png|gif|webp|avif|svg")} THEN 'an image'
        WHEN {_ends("[sx]?html?")} THEN 'an HTML page'
        ELSE 'a page with a player'
    END""",
    where=f"""
        content_loc_problem IS NULL
        AND ({_ends("[sx]?html?|swf|jpe?g|png|gif|webp|avif|svg")} OR {_IS_PLAYER})
    """,
    message="content_loc is not a video file",
    example="video:content_loc {value} is {detail}",
    effect="Google cannot fetch {places:video|videos}",
    fix="Write the URL of the video file, or use player_loc for the URL of the player.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("H10",),
)
