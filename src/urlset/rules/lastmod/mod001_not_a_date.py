"""Checks for a lastmod that is not written as W3C datetime: another order, a date as in e-mail, a space instead of T, a
number of seconds, the word null.

## Why is this bad
Engines cannot read it: Search Console reports an invalid date, and what the date was to say is lost.

## Fails
```xml
<lastmod>01/02/2025</lastmod>
<lastmod>Wed, 01 Jan 2025 10:00:00 GMT</lastmod>
<lastmod>2025-01-01 10:00:00</lastmod>
```

## Passes
```xml
<lastmod>2025-01-02</lastmod>
<lastmod>2025-01-01T10:00:00+00:00</lastmod>
<lastmod>2025-01-01T10:00Z</lastmod>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity
from urlset.rules.wording import DATE_PROBLEMS, in_words

RULE = EntryRule(
    code="MOD001",
    name="lastmod-not-a-date",
    severity=Severity.ERROR,
    table="urls",
    field="lastmod",
    guard_traits=("lastmod-problem",),
    detail=in_words("lastmod_problem", DATE_PROBLEMS),
    where="lastmod_problem IN ('not-a-date', 'rfc-822', 'space-instead-of-t', 'lower-case')",
    message="lastmod is not a W3C date",
    example="lastmod {value} is not a W3C date: {detail}",
    fix="Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss+hh:mm.",
    advice=(
        "An offset is written like +02:00; Z stands for UTC. The protocol also allows YYYY, YYYY-MM and a time "
        "without seconds, though its schema does not."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html#lastmoddef",
        "https://www.w3.org/TR/NOTE-datetime",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("E01", "G06"),
    fixable=Fixable.SOMETIMES,
)
