"""Checks for an expiration_date or publication_date that is not a date of W3C datetime.

## Why is this bad
Google cannot read it and does as if it were not there.

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
from urlset.rules.wording import DATE_PROBLEMS, in_words

RULE = EntryRule(
    code="VID017",
    name="video-date-invalid",
    severity=Severity.WARNING,
    table="videos",
    value="CASE WHEN expiration_date_problem <> 'empty' THEN expiration_date ELSE publication_date END",
    detail=(
        "concat_ws(', ', CASE WHEN expiration_date_problem <> 'empty' THEN 'video:expiration_date ' || expiration_date "
        f"|| ': ' || {in_words('expiration_date_problem', DATE_PROBLEMS)} END, "
        "CASE WHEN publication_date_problem <> 'empty' THEN 'video:publication_date ' || publication_date "
        f"|| ': ' || {in_words('publication_date_problem', DATE_PROBLEMS)} END)"
    ),
    where="expiration_date_problem <> 'empty' OR publication_date_problem <> 'empty'",
    message="A date of a video is invalid",
    example="{detail}",
    fix="Write YYYY-MM-DD, or a time with seconds and a timezone.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",
        "https://www.w3.org/TR/NOTE-datetime",
    ),
    checks=("H11",),
    fixable=Fixable.SOMETIMES,
)
