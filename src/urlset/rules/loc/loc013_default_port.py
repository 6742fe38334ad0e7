"""Checks for port 443 in https URLs and port 80 in http URLs.

## Why is this bad
Clients use this port by default. With the port, the same page has a second URL.

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
    message="URL has a redundant default port",
    example="loc {value} has port {port}, the default of {scheme}",
    fix="Remove the port from the URL.",
    sources=("https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3",),
    checks=("D11",),
)
