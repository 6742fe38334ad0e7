"""Checks for a path in which the % of a percent-encoded character was encoded itself: %2520 where %20 was meant.

## Why is this bad
The server takes one layer off and looks for a page whose name has a literal %20 in it, which rarely exists. Queries
are not looked at, since a URL within a query is rightly encoded twice.

## Fails
```xml
<url><loc>https://www.example.com/red%2520lamp</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/red%20lamp</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC011",
    name="url-double-encoded",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    traits=("double-escape",),
    detail="regexp_extract(path, '%25(2[0-9A-Fa-f]|3[A-Fa-f]|[C-Fc-f][0-9A-Fa-f])')",
    message="URL is percent-encoded twice",
    example="loc {value} is percent-encoded twice at {detail}",
    fix="Encode the URL once.",
    sources=("https://www.rfc-editor.org/rfc/rfc3986#section-2.4",),
    checks=("D07",),
)
