"""Checks for a changefreq that is not one of always, hourly, daily, weekly, monthly, yearly and never, in lower case.

## Why is this bad
The schema compares letter by letter, so Daily is invalid too. Google and Bing ignore the field altogether; what
others make of an invalid value is not documented.

## Fails
```xml
<changefreq>Daily</changefreq>
<changefreq>every-day</changefreq>
```

## Passes
```xml
<changefreq>daily</changefreq>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity

RULE = EntryRule(
    code="HNT001",
    name="changefreq-invalid",
    severity=Severity.WARNING,
    table="urls",
    field="changefreq",
    guard_traits=("changefreq-problem",),
    detail="""
        CASE
            WHEN lower(changefreq) IN ('always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never')
            THEN 'write ' || lower(changefreq)
            ELSE 'it is none of always, hourly, daily, weekly, monthly, yearly, never'
        END
    """,
    where="changefreq NOT IN ('always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never', '')",
    message="changefreq is not one of its seven values",
    example="changefreq {value} is invalid: {detail}",
    fix="Write one of always, hourly, daily, weekly, monthly, yearly, never, or leave changefreq out.",
    advice="The field is optional, and the large engines do not read it.",
    sources=(
        "https://www.sitemaps.org/protocol.html#changefreqdef",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("E16",),
    fixable=Fixable.SOMETIMES,
)
