"""Checks for lowercase country codes in `restriction`.

## Why is this bad
Country codes are written in uppercase, and the schema accepts only uppercase.

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
    message="Video restriction has lowercase country codes",
    example="video:restriction is {value}",
    effect="some parsers may ignore {places:restriction|restrictions}",
    fix="Write the codes in uppercase.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd",
    ),
    checks=("H12",),
    fixable=Fixable.SOMETIMES,
)
