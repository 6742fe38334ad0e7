"""Checks for `family_friendly`, `requires_subscription`, and `live` values that are neither `yes` nor `no`.

## Why is this bad
Only these values are allowed. How search engines treat others is not documented.

## Fails
```xml
<video:video>…<video:live>true</video:live></video:video>
```

## Passes
```xml
<video:video>…<video:live>yes</video:live></video:video>
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.rules.several import Fault, all_words, any_of, first_column, first_value

FAULTS = tuple(
    Fault(
        field,
        f"{field} <> '' AND lower({field}) NOT IN ('yes', 'no')",
        f"'video:{field} is ' || {field}",
    )
    for field in ("family_friendly", "requires_subscription", "live")
)

RULE = EntryRule(
    code="VID009",
    name="video-yes-no-invalid",
    severity=Severity.WARNING,
    table="videos",
    field_of=first_column(FAULTS),
    value=first_value(FAULTS),
    detail=all_words(FAULTS),
    where=any_of(FAULTS),
    message="Video field is neither yes nor no",
    example="{detail}",
    effect="Google ignores {places:value|values}",
    fix="Write yes or no.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H11",),
)
