"""Checks for paths in which the `%` of a percent-encoded character is itself encoded: `%2520` instead of `%20`.

## Why is this bad
The server decodes one layer and looks for a page with a literal `%20` in its name, which rarely exists. Query strings
are not checked, because a URL within a query string is correctly encoded twice. LOC027 reports names of files.

## Fails
```xml
<url><loc>https://www.example.com/red%2520lamp</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/red%20lamp</loc></url>
```
"""

from urlset.rules.queries import DOUBLE_ESCAPE, IS_FILE_NAME
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC011",
    name="url-double-encoded",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    traits=("double-escape",),
    where=f"NOT ({IS_FILE_NAME})",
    detail=DOUBLE_ESCAPE,
    message="URL is percent-encoded twice",
    example="loc {value} is percent-encoded twice at {detail}",
    effect="search engines request {places:URL|URLs} that may not exist",
    fix="Percent-encode the URL only once.",
    sources=("https://www.rfc-editor.org/rfc/rfc3986#section-2.4",),
    checks=("D07",),
)
