"""Checks for a lastmod of a sitemap in an index that is not a valid W3C datetime. A time without timezone counts, as
for pages.

## Why is this bad
Engines use this date to fetch only those sitemaps again that have changed. They cannot read it, so they fetch all of
them or wait.

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
from urlset.rules.wording import DATE_PROBLEMS, in_words

RULE = EntryRule(
    code="IDX007",
    name="child-lastmod-invalid",
    severity=Severity.WARNING,
    table="children",
    field="lastmod",
    guard_traits=("lastmod-problem",),
    detail=in_words("lastmod_problem", DATE_PROBLEMS),
    where="lastmod_problem <> 'empty'",
    message="lastmod of a sitemap in the index is not a W3C date",
    example="lastmod {value} is invalid: {detail}",
    fix="Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss+hh:mm.",
    advice="An offset is written like +02:00; Z stands for UTC. The date is when that sitemap file last changed.",
    sources=(
        "https://www.sitemaps.org/protocol.html#sitemapIndexTagDefinitions",
        "https://www.w3.org/TR/NOTE-datetime",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    # The specification takes dates of ISO 8601. Of the rules on dates, this one does not tell a missing timezone apart.
    check_where="lastmod_problem <> 'no-timezone'",
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("E01", "E02", "E03", "E04"),
    fixable=Fixable.SOMETIMES,
)
