"""Checks for internationalized host names that are not written in the ASCII form (Punycode) that DNS uses, which starts
with `xn--`.

## Why is this bad
Every client understands the ASCII form. If both forms occur, tools that compare URLs character by character see two
sites.

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
    traits=("non-ascii-host",),
    detail="regexp_extract(loc, '//([^/?#]*@)?([^/?#:]*)', 2)",
    message="Host name is not in its ASCII form",
    example="host {detail} contains non-ASCII characters",
    fix="Write the host in its ASCII form, which starts with xn--.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc5890",
        "https://www.rfc-editor.org/rfc/rfc3987#section-3.1",
    ),
    checks=("D21",),
)
