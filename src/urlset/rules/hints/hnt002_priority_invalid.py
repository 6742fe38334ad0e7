"""Checks for a priority that is not a decimal number from 0.0 to 1.0.

## Why is this bad
The protocol knows no other values. Google and Bing ignore the field altogether; crawler-commons, for one, takes an
invalid value for 0.5, the default. A decimal comma and an exponent make it invalid too.

## Fails
```xml
<priority>1.5</priority>
<priority>0,8</priority>
<priority>high</priority>
```

## Passes
```xml
<priority>0.8</priority>
<priority>1</priority>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity

RULE = EntryRule(
    code="HNT002",
    name="priority-invalid",
    severity=Severity.WARNING,
    table="urls",
    field="priority",
    guard_traits=("priority-problem",),
    detail="CASE WHEN priority_value IS NULL THEN 'not a decimal number' ELSE 'outside 0.0 to 1.0' END",
    where="priority <> '' AND (priority_value IS NULL OR priority_value < 0.0 OR priority_value > 1.0)",
    message="priority is not a number from 0.0 to 1.0",
    example="priority {value} is {detail}",
    fix="Write a number from 0.0 to 1.0 with a decimal point, or leave priority out.",
    advice="Priority compares the pages of one site, so giving all of them 1.0 says nothing. The field is optional.",
    sources=(
        "https://www.sitemaps.org/protocol.html#prioritydef",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("E19",),
    fixable=Fixable.SOMETIMES,
)
