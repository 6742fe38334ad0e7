"""Checks for `thumbnail_loc`, `content_loc`, and `player_loc` values that are not a valid absolute HTTP or HTTPS URL.
Missing and empty values are not reported.

## Why is this bad
Search engines cannot fetch the thumbnail, the file, or the player, and skip the video.

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
from urlset.rules.several import Fault, all_words, any_of, first_column, first_value
from urlset.rules.wording import url_problem_in_words

FAULTS = tuple(
    Fault(
        field,
        f"{field}_problem <> 'empty'",
        f"'video:{field} ' || {field} || ': ' || {url_problem_in_words(field, f'{field}_problem')}",
    )
    for field in ("thumbnail_loc", "content_loc", "player_loc")
)

RULE = EntryRule(
    code="VID004",
    name="video-url-invalid",
    severity=Severity.ERROR,
    table="videos",
    field_of=first_column(FAULTS),
    value=first_value(FAULTS),
    detail=all_words(FAULTS),
    where=any_of(FAULTS),
    message="Video URL is invalid",
    example="{detail}",
    effect="Google does not find {places:video, or its thumbnail|videos, or their thumbnails}",
    fix="Write the full URL, with https:// and the host.",
    advice="Percent-encode characters where needed.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.rfc-editor.org/rfc/rfc3986#section-4.3",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("H07", "H08"),
    fixable=Fixable.SOMETIMES,
)
