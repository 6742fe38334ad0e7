"""Checks for country codes in small letters.

## Why is this bad
The codes are written in capital letters, and the schema accepts no others.

## Fails
```xml
<video:video>…<video:restriction relationship="allow">us</video:restriction></video:video>
```

## Passes
```xml
<video:video>…<video:restriction relationship="allow">US</video:restriction></video:video>
```
"""

from urlset.rules.rule import EntryRule, Fixable, Severity

RULE = EntryRule(
    code="VID011",
    name="video-country-lower-case",
    severity=Severity.WARNING,
    table="videos",
    field="restriction",
    where="restriction <> upper(restriction)",
    message="A country of a video's restriction is in small letters",
    example="video:restriction {value} must be in capital letters",
    fix="Write the codes in capital letters.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd",
    ),
    checks=("H12",),
    fixable=Fixable.SOMETIMES,
)
