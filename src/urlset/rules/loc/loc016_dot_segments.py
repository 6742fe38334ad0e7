"""Checks for paths with a `.` or `..` segment, or with two or more slashes in a row.

## Why is this bad
Search engines resolve dot segments before they fetch, so they request a different URL than the listed one. A path with
a double slash is formally a different page than the path with a single slash; in practice it usually returns the same
page or an error. Both usually come from joining a base URL and a path.

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

from urlset.rules.rule import Cause, EntryRule, Severity

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
    message="Path has . or .. segments, or two slashes in a row",
    causes=(Cause("SIT006", "contains(path, '//')"),),
    example="path of loc {value} contains {detail}",
    effect=(
        "search engines request {places:URL in another form than listed, or index a copy of the page|URLs in "
        "another form than listed, or index copies of the pages}"
    ),
    fix="Write the path without . and .. segments and with single slashes.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4",
        "https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.3",
    ),
    checks=("D22",),
)
