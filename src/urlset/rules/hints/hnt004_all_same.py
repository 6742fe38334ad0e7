"""HNT004: priority-all-equal

## What
A sitemap with ten priorities or more that are all equal.

## Why
Priority compares the pages of one site with each other: equal ones say nothing.

## Fails
```xml
<url><loc>https://www.example.com/</loc><changefreq>daily</changefreq><priority>1.0</priority></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```

## Fix
Leave priority out, or tell the pages apart by it.

## Sources
- https://www.sitemaps.org/protocol.html#prioritydef
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity

RULE = Rule(
    code="HNT004",
    name="priority-all-equal",
    severity=Severity.HINT,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="documents",
    query="""
        SELECT
            document_id, CAST(NULL AS INTEGER) AS ordinal, CAST(NULL AS INTEGER) AS line, CAST(NULL AS INTEGER) AS col,
            CAST(NULL AS VARCHAR) AS url, min(priority_value) AS value
        FROM urls
        GROUP BY document_id
        HAVING count(priority_value) >= 10 AND min(priority_value) = max(priority_value)
    """,
    message="All priorities are equal",
    example="every priority is {value}",
    fix="Leave priority out, or tell the pages apart by it.",
    sources=("https://www.sitemaps.org/protocol.html#prioritydef",),
    checks=("E20",),
)
