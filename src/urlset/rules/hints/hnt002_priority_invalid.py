"""Checks for priority values that are not a decimal number from 0.0 to 1.0.

## Why is this bad
The protocol allows no other values. Google and Bing ignore the field. Other readers fall back to a default:
crawler-commons treats an invalid value as 0.5. A decimal comma or an exponent also makes the value invalid.

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
    needs=("priority-problem",),
    detail="CASE WHEN priority_value IS NULL THEN 'not a decimal number' ELSE 'outside 0.0 to 1.0' END",
    where="priority <> '' AND (priority_value IS NULL OR priority_value < 0.0 OR priority_value > 1.0)",
    message="priority is not a number from 0.0 to 1.0",
    example="priority {value} is {detail}",
    effect="strict parsers reject {places:value|values}; Google ignores the field",
    fix="Write a number from 0.0 to 1.0 with a decimal point, or omit priority.",
    advice=(
        "The field is optional. Priority is relative to the other pages of a site, so setting all of them to 1.0 has "
        "no effect."
    ),
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
