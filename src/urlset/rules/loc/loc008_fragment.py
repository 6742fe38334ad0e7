"""LOC008: url-fragment

## What
A loc with a fragment, the part that begins with #.

## Why
A fragment is a place within a page. It is never sent to the server, and engines cut it off before they fetch, so that
the entry stands for the page without it, which is usually listed already.

## Fails
```xml
<url><loc>https://www.example.com/about#team</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```

## Fix
Leave out the # and what follows it; give content that has only a fragment an address of its own.

## Sources
- https://www.rfc-editor.org/rfc/rfc3986#section-3.5
- https://developers.google.com/search/docs/crawling-indexing/url-structure
"""

from urlset.rules.rule import Rule, Scope, Severity

RULE = Rule(
    code="LOC008",
    name="url-fragment",
    severity=Severity.WARNING,
    scope=Scope.ENTRY,
    table="urls",
    field="loc",
    traits=("fragment",),
    where="loc_problem IS NULL",
    message="URL has a fragment",
    example="loc {value} has a part after #",
    fix="Leave out the # and what follows it; give content that has only a fragment an address of its own.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc3986#section-3.5",
        "https://developers.google.com/search/docs/crawling-indexing/url-structure",
    ),
    checks=("D08",),
)
