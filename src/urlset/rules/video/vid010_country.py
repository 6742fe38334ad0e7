"""Checks for `restriction` values that are not a space-separated list of two-letter ISO 3166-1 country codes.

## Why is this bad
Google cannot tell in which countries the video may be shown.

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
    message="Video restriction has an invalid country code",
    example="video:restriction is {value}; invalid: {detail}",
    effect="Google may show {places:video|videos} in the wrong countries",
    fix="Write country codes separated by spaces. The code for the United Kingdom is GB.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.iso.org/iso-3166-country-codes.html",
    ),
    checks=("H12",),
)
