"""Checks for a title of more than 100 characters, a description of more than 2,048, an uploader of more than 255, a
category of more than 256, or more than 32 tags.

## Why is this bad
Google documents the limits for description, uploader, and tags, and ignores anything beyond them. The limits for title
and category come from the schema; the documentation no longer mentions them.

## Fails
```xml
<video:video>…<video:description>… (2,049 characters)</video:description></video:video>
```

## Passes
```xml
<video:video>…<video:description>How to hang a lamp.</video:description></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.rules.several import Fault, all_words, any_of, first_column

FAULTS = (
    *(
        Fault(
            field,
            f"length({field}) > {most}",
            f"'video:{field} has ' || length({field}) || ' characters; at most {most:,} are allowed'",
        )
        for field, most in (("title", 100), ("description", 2048), ("uploader", 255), ("category", 256))
    ),
    Fault("tags", "len(tags) > 32", "len(tags) || ' video:tag elements; at most 32 are allowed'"),
)

RULE = EntryRule(
    code="VID008",
    name="video-text-too-long",
    severity=Severity.WARNING,
    table="videos",
    field_of=first_column(FAULTS),
    value="title",
    detail=all_words(FAULTS),
    where=any_of(FAULTS),
    message="Video text is too long or has too many tags",
    example="{detail}",
    effect="Google cuts off or ignores the text of {places:video|videos}",
    fix="Shorten the text, or remove tags.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd",
    ),
    checks=("H11",),
)
