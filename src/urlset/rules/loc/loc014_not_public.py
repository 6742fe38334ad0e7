"""Checks for URLs on a host that exists only on one machine or in one network: `localhost`, a name without a dot, a
name in `.local`, `.localhost`, `.internal`, `.test`, or `.invalid`, or a private, link-local, or loopback IP address.

URLs on the same host as the sitemap are not reported, because a site under development lists its own host in every
entry. LOC024 reports such a sitemap once.

## Why is this bad
Search engines cannot reach the host. It is usually the machine that built the sitemap.

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
from urlset.rules.rule import Cause, SetRule, Severity

RULE = SetRule(
    code="LOC014",
    name="url-not-public",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    needs=("private-host",),
    query=on_other_host("private-host"),
    message="URL is not publicly reachable",
    causes=(Cause("SIT003", "is_all"),),
    example="loc is on {value}, which is not publicly reachable",
    fix="Build the sitemap with the public URL of the site, or replace the host with `urlset fix --base-url URL`.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc1918",
        "https://www.rfc-editor.org/rfc/rfc6761",
        "https://www.rfc-editor.org/rfc/rfc6762",
    ),
    checks=("D12",),
)
