"""Checks for `<lastmod>` values of child sitemaps in an index that are not in the W3C Datetime format. A time requires
a time zone, as in the entries of a sitemap.

## Why is this bad
Search engines use this date to fetch only the sitemaps that changed. If they cannot read it, they may fetch every
sitemap again, or miss a change.

## Fails
```xml
<sitemap>
  <loc>https://example.com/sitemap-1.xml</loc>
  <lastmod>2025-01-29 10:45</lastmod>
</sitemap>
```

## Passes
```xml
<sitemap>
  <loc>https://example.com/sitemap-1.xml</loc>
  <lastmod>2025-01-29T10:45:00Z</lastmod>
</sitemap>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity
from urlset.rules.wording import date_problem_in_words

RULE = EntryRule(
    code="IDX007",
    name="child-lastmod-invalid",
    severity=Severity.WARNING,
    table="children",
    field="lastmod",
    needs=("lastmod-problem",),
    detail=date_problem_in_words("lastmod", "lastmod_problem"),
    where="lastmod_problem <> 'empty'",
    message="lastmod of a child sitemap has an invalid format",
    example="lastmod {value} is invalid: {detail}",
    effect="search engines cannot read {places:date|dates}, and do not learn which child sitemaps to fetch again",
    fix="Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss+hh:mm.",
    advice="Write an offset as +02:00, or Z for UTC. Use the date on which the sitemap file last changed.",
    sources=(
        "https://www.sitemaps.org/protocol.html#sitemapIndexTagDefinitions",
        "https://www.w3.org/TR/NOTE-datetime",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    # The specification accepts ISO 8601 dates, in which a time needs no time zone. For pages, that is a separate rule.
    check_where="lastmod_problem <> 'no-timezone'",
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("E01", "E02", "E03", "E04"),
    fixable=Fixable.SOMETIMES,
)
