"""Checks for a restriction that is not a list of country codes of ISO 3166-1, two letters each, with spaces between
them.

## Why is this bad
Google cannot tell where the video may be shown.

## Fails
```xml
<video:video>…<video:restriction relationship="allow">EN, UK</video:restriction></video:video>
```

## Passes
```xml
<video:video>…<video:restriction relationship="allow">IE GB US</video:restriction></video:video>
```
"""

from urlset.rules.codes import REGION_LIST, REGIONS
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="VID010",
    name="video-country-unknown",
    severity=Severity.ERROR,
    table="videos",
    field="restriction",
    detail=f"trim(regexp_replace(upper(restriction), '\\b({'|'.join(REGIONS)})\\b', '', 'g'))",
    where="restriction <> '' AND NOT regexp_matches(upper(restriction), '" + REGION_LIST + "')",
    message="A country of a video's restriction is unknown",
    example="video:restriction {value} has no country codes in {detail}",
    fix="Write codes of countries with spaces between them, GB for the United Kingdom.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.iso.org/iso-3166-country-codes.html",
    ),
    checks=("H12",),
)
