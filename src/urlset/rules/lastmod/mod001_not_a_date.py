"""Checks for dates that are not in the W3C Datetime format: a different order, an email-style date, a space instead of
`T`, lowercase letters, a Unix timestamp, or the word `null`. In RSS, checks for `<pubDate>` values that are not RFC 822
dates.

## Why is this bad
Search engines cannot read the date and lose the information in it. Search Console reports an invalid date.

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
from urlset.rules.wording import DATE_ELEMENT, date_problem_in_words

RULE = EntryRule(
    code="MOD001",
    name="lastmod-not-a-date",
    severity=Severity.ERROR,
    table="urls",
    field="lastmod",
    needs=("lastmod-problem",),
    detail=f"""
        {DATE_ELEMENT} || ' ' || lastmod || CASE
            WHEN lastmod_from = 'pubDate'
                THEN ' is not a date such as Fri, 21 Nov 2025 14:30:00 +0100 (RFC 822)'
            ELSE ' is not a W3C Datetime: ' || {date_problem_in_words("lastmod", "lastmod_problem")}
        END
    """,
    where="lastmod_problem IN ('not-a-date', 'rfc-822', 'space-instead-of-t', 'lower-case')",
    message="Date has an invalid format",
    example="{detail}",
    effect="search engines ignore {places:date|dates}, and some reject the file",
    fix="Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm. In RSS, write pubDate in the RFC 822 format.",
    advice=(
        "In a sitemap, write the offset as +02:00, or Z for UTC. The protocol also allows YYYY, YYYY-MM, and a time "
        "without seconds, but its schema does not."
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
