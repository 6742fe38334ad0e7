"""Checks for port 443 in an https URL, or 80 in an http URL.

## Why is this bad
The port is used anyway; with it the address is another text for the same page.

## Fails
```xml
<url><loc>https://www.example.com:443/about</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC013",
    name="url-default-port",
    severity=Severity.INFO,
    table="urls",
    field="loc",
    traits=("default-port",),
    message="URL names the port that is used anyway",
    example="loc {value} names port {port}, which {scheme} has anyway",
    fix="Leave out the port.",
    sources=("https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3",),
    checks=("D11",),
)
