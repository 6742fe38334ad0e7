"""Checks for a thumbnail_loc, content_loc or player_loc that is given but is not a valid absolute http or https URL.

## Why is this bad
Engines cannot fetch the picture, the file or the player, and pass over the video.

## Fails
```xml
<video:thumbnail_loc>/thumbs/123.jpg</video:thumbnail_loc>
```

## Passes
```xml
<video:thumbnail_loc>https://example.com/thumbs/123.jpg</video:thumbnail_loc>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity
from urlset.rules.wording import url_problem_in_words

FIELDS = ("thumbnail_loc", "content_loc", "player_loc")


def _named(field: str) -> str:
    """Return SQL for a field and what is wrong with it; null where nothing is."""
    words = url_problem_in_words(field, f"{field}_problem")
    return f"CASE WHEN {field}_problem <> 'empty' THEN 'video:{field} ' || {field} || ': ' || {words} END"


RULE = EntryRule(
    code="VID004",
    name="video-url-invalid",
    severity=Severity.ERROR,
    table="videos",
    value="""
        CASE
            WHEN thumbnail_loc_problem <> 'empty' THEN thumbnail_loc
            WHEN content_loc_problem <> 'empty' THEN content_loc
            ELSE player_loc
        END
    """,
    detail="concat_ws(', ', " + ", ".join(_named(field) for field in FIELDS) + ")",
    where="thumbnail_loc_problem <> 'empty' OR content_loc_problem <> 'empty' OR player_loc_problem <> 'empty'",
    message="A URL of a video is invalid",
    example="{detail}",
    fix="Write the full URL, with https:// and the host.",
    advice="Percent-encode it where needed.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.rfc-editor.org/rfc/rfc3986#section-4.3",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("H07", "H08"),
    fixable=Fixable.SOMETIMES,
)
