"""Checks for a sitemap with ten priorities or more that are all equal.

## Why is this bad
Priority compares the pages of one site with each other: equal ones say nothing.

## Fails
```xml
<url><loc>https://www.example.com/</loc><changefreq>daily</changefreq><priority>1.0</priority></url>
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
    where="priorities >= 10 AND priority_lowest = priority_highest",
    message="All priorities are equal",
    example="every priority is {value}",
    fix="Leave priority out, or tell the pages apart by it.",
    sources=("https://www.sitemaps.org/protocol.html#prioritydef",),
    checks=("E20",),
)
