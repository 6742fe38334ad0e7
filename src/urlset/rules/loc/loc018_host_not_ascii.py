"""Checks for a host written in its own script, where DNS knows it by its form in ASCII, which begins with xn--.

## Why is this bad
The form in ASCII is the one that every reader understands; where both occur, what compares addresses letter by letter
takes them for two sites.

## Fails
```xml
<url><loc>https://bücher.example/about</loc></url>
```

## Passes
```xml
<url><loc>https://xn--bcher-kva.example/about</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC018",
    name="url-host-not-ascii",
    severity=Severity.INFO,
    table="urls",
    field="loc",
    traits=("wide-host",),
    message="Host is not written in ASCII",
    example="host {host} is written with letters outside ASCII",
    fix="Write the host in its ASCII form, which begins with xn--.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc5890",
        "https://www.rfc-editor.org/rfc/rfc3987#section-3.1",
    ),
    checks=("D21",),
)
