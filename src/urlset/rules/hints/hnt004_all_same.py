"""Checks for sitemaps with at least ten priorities that are all equal.

## Why is this bad
Priority ranks the pages of a site relative to each other. If all are equal, it carries no information.

## Fails
```xml
<!-- ten entries or more, all with the same priority -->
<url><loc>https://www.example.com/</loc><priority>1.0</priority></url>
<url><loc>https://www.example.com/about</loc><priority>1.0</priority></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="HNT004",
    name="priority-all-equal",
    severity=Severity.HINT,
    table="documents",
    value="priority_lowest",
    needs=("equal-priorities",),
    where="priorities >= 10 AND priority_lowest = priority_highest",
    message="All priorities are equal",
    example="every priority is {value}",
    fix="Omit priority, or use it to distinguish pages.",
    sources=("https://www.sitemaps.org/protocol.html#prioritydef",),
    checks=("E20",),
)
