"""Checks for `restriction` and `platform` elements whose `relationship` attribute is missing or is neither `allow` nor
`deny`.

## Why is this bad
The attribute is required. Without it, the list could mean either.

## Fails
```xml
<video:video>…<video:restriction>US</video:restriction></video:video>
```

## Passes
```xml
<video:video>…<video:restriction relationship="allow">US</video:restriction></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.rules.several import Fault, all_words, any_of, first_column

FAULTS = tuple(
    Fault(
        field,
        f"{field} IS NOT NULL AND coalesce({field}_relationship, '') NOT IN ('allow', 'deny')",
        f"'video:{field} has ' || coalesce('relationship=' || {field}_relationship, 'no relationship')",
    )
    for field in ("restriction", "platform")
)

RULE = EntryRule(
    code="VID013",
    name="video-relationship-invalid",
    severity=Severity.ERROR,
    table="videos",
    field_of=first_column(FAULTS),
    value=(
        "CASE WHEN restriction IS NOT NULL AND coalesce(restriction_relationship, '') NOT IN ('allow', "
        "'deny') THEN restriction_relationship ELSE platform_relationship END"
    ),
    detail=all_words(FAULTS),
    where=any_of(FAULTS),
    message="restriction or platform has no valid relationship",
    example="{detail}",
    effect="Google cannot tell where {places:video|videos} may be shown",
    fix='Add relationship="allow" or relationship="deny".',
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H13",),
)
