"""Checks for URLs of files in which the `%` of a percent-encoded character is itself encoded: `%2520` instead of `%20`.
LOC011 reports other URLs.

## Why is this bad
The URL is correct only if the name of the file really contains `%20`, as names of downloaded files sometimes do.
Otherwise the URL was encoded twice, and the server does not find the file.

## Fails
```xml
<url><loc>https://www.example.com/price%2520list.pdf</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/price%20list.pdf</loc></url>
```
"""

from urlset.rules.queries import DOUBLE_ESCAPE, IS_FILE_NAME
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC027",
    name="url-escape-in-file-name",
    severity=Severity.INFO,
    table="urls",
    field="loc",
    traits=("double-escape",),
    where=IS_FILE_NAME,
    detail=f"replace({DOUBLE_ESCAPE}, '%25', '%')",
    message="URL names a file with a percent-encoded name",
    example="loc {value} is correct only if the name of the file itself contains {detail}",
    fix="Rename the file, or percent-encode the URL only once.",
    sources=("https://www.rfc-editor.org/rfc/rfc3986#section-2.4", "urlset"),
    checks=("D07",),
)
