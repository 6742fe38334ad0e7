"""Checks for `expiration_date` and `publication_date` values that are not a valid W3C Datetime.

## Why is this bad
Google cannot read the date and ignores it.

## Fails
```xml
<video:video>…<video:publication_date>1 June 2025</video:publication_date></video:video>
```

## Passes
```xml
<video:video>…<video:publication_date>2025-06-01T10:00:00+02:00</video:publication_date></video:video>
```
"""

from urlset.rules.rule import EntryRule, Fixable, Severity
from urlset.rules.several import Fault, all_words, any_of, first_column, first_value
from urlset.rules.wording import date_problem_in_words

FAULTS = tuple(
    Fault(
        field,
        f"{field}_problem <> 'empty'",
        f"'video:{field} ' || {field} || ': ' || {date_problem_in_words(field, f'{field}_problem')}",
    )
    for field in ("expiration_date", "publication_date")
)

RULE = EntryRule(
    code="VID017",
    name="video-date-invalid",
    severity=Severity.WARNING,
    table="videos",
    field_of=first_column(FAULTS),
    value=first_value(FAULTS),
    detail=all_words(FAULTS),
    where=any_of(FAULTS),
    message="Video date is invalid",
    example="{detail}",
    effect="Google ignores {places:date|dates}",
    fix="Write YYYY-MM-DD, or a date and time with seconds and a time zone.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.w3.org/TR/NOTE-datetime",
    ),
    checks=("H11",),
    fixable=Fixable.SOMETIMES,
)
