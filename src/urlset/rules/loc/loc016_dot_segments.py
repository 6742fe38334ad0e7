"""Checks for a path with a segment . or .., or with two slashes in a row.

## Why is this bad
Engines resolve dots before they fetch, so that another address is fetched than is listed; two slashes are another
page than one by the letter, and mostly the same or none at all. They come from joining a base address and a path.

## Fails
```xml
<url><loc>https://www.example.com//about</loc></url>
<url><loc>https://www.example.com/en/../about</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC016",
    name="url-dot-segments",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    traits=("dot-segment",),
    detail="""CASE
        WHEN regexp_matches(path, '/[.][.](/|$)') THEN '..' WHEN regexp_matches(path, '/[.](/|$)') THEN '.' ELSE '//'
    END""",
    message="Path has dot segments or empty segments",
    example="path of loc {value} has {detail} in it",
    fix="Write the path that is meant, without . and .. and with single slashes.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4",
        "https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.3",
    ),
    checks=("D22",),
)
