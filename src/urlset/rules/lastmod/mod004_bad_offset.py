"""Checks for `<lastmod>` values whose UTC offset is written without a colon or does not exist in any time zone.

## Why is this bad
W3C Datetime requires an offset of the form `+hh:mm` or `-hh:mm`, or `Z`. `+0200` is only valid in the basic format of
ISO 8601; Google, the official schema, and W3C Datetime reject it.

## Fails
```xml
<lastmod>2025-01-29T10:45:00+0200</lastmod>
<lastmod>2025-01-29T10:45:00+15:00</lastmod>
```

## Passes
```xml
<lastmod>2025-01-29T10:45:00+02:00</lastmod>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity
from urlset.rules.wording import DATE_ELEMENT, date_problem_in_words

RULE = EntryRule(
    code="MOD004",
    name="lastmod-offset-invalid",
    severity=Severity.ERROR,
    table="urls",
    field="lastmod",
    needs=("lastmod-problem",),
    detail=(
        f"{DATE_ELEMENT} || ' ' || lastmod || ' is invalid: ' || {date_problem_in_words('lastmod', 'lastmod_problem')}"
    ),
    where="lastmod_problem IN ('offset-without-colon', 'offset-out-of-range')",
    message="lastmod has an invalid UTC offset",
    example="{detail}",
    effect="search engines ignore {places:date|dates}",
    fix="Write the offset as +hh:mm or -hh:mm, or Z for UTC.",
    advice=(
        "In PHP, `format('c')` writes the colon; in strftime, `%:z` does where it is supported; in Python, use "
        "`isoformat()` of a datetime with a time zone."
    ),
    sources=(
        "https://www.w3.org/TR/NOTE-datetime",
        "https://www.sitemaps.org/protocol.html#lastmoddef",
        "https://github.com/thorsten/phpMyFAQ/issues/214",
        "https://github.com/cockroachdb/docs/pull/15139",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("E03", "E04"),
    fixable=Fixable.SOMETIMES,
)
