"""Checks for `<lastmod>` values that have the right format but contain a day or a time that does not exist, or a year
that does not have four digits.

## Why is this bad
Search engines cannot read the date and report it as invalid. Such dates come from empty database fields (`0000-00-00`,
`-0001-11-30`) and from swapped months and days.

## Fails
```xml
<lastmod>2025-02-30</lastmod>
<lastmod>2025-13-01</lastmod>
<lastmod>2025-01-01T24:00:00Z</lastmod>
```

## Passes
```xml
<lastmod>2024-02-29</lastmod>
<lastmod>2025-01-01T23:59:59Z</lastmod>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Severity
from urlset.rules.wording import DATE_ELEMENT, date_problem_in_words

RULE = EntryRule(
    code="MOD003",
    name="lastmod-impossible",
    severity=Severity.ERROR,
    table="urls",
    field="lastmod",
    needs=("lastmod-problem",),
    detail=(
        f"{DATE_ELEMENT} || ' ' || lastmod || ' is invalid: ' || {date_problem_in_words('lastmod', 'lastmod_problem')}"
    ),
    where="lastmod_problem IN ('impossible-date', 'impossible-time', 'year-out-of-range')",
    message="lastmod is an impossible date or time",
    example="{detail}",
    effect="search engines ignore {places:date|dates}",
    fix="Correct the date, or omit lastmod.",
    advice="Write 00:00 of the next day instead of 24:00.",
    sources=(
        "https://www.w3.org/TR/NOTE-datetime",
        "https://github.com/Yoast/wordpress-seo/issues/3808",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("E04",),
)
