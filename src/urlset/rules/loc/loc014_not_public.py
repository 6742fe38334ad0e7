"""Checks for a loc whose host exists only on one machine or in one network: localhost, a name without a dot, a name in
.local, .internal, .test or .invalid, or a private or loopback address.

URLs on the host of the target itself are not reported: a site under development has its own host everywhere. LOC024
says so in one line.

## Why is this bad
No search engine can reach it. It is usually the address of the machine that built the sitemap.

## Fails
```xml
<url><loc>http://localhost:3000/about</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.private_targets import on_other_host
from urlset.rules.queries import has_trait
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="LOC014",
    name="url-not-public",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    only=has_trait(["inner-host"]),
    query=on_other_host("inner-host"),
    message="URL cannot be reached from outside",
    example="loc is on {value}, which cannot be reached from outside",
    fix="Build the sitemap with the public address of the site.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc1918",
        "https://www.rfc-editor.org/rfc/rfc6761",
        "https://www.rfc-editor.org/rfc/rfc6762",
    ),
    checks=("D12",),
)
