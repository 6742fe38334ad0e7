"""Checks for a loc whose host begins with a name that is customary for a copy of a site before its release: staging,
stg, preprod, uat.

URLs on the host of the target itself are not reported: a site under development has its own host everywhere. LOC024
says so in one line.

## Why is this bad
A sitemap built before the release and not built again sends engines to the copy, which then competes with the site or
cannot be reached.

## Fails
```xml
<url><loc>https://staging.example.com/about</loc></url>
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
    code="LOC015",
    name="url-staging-host",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    only=has_trait(["test-host"]),
    query=on_other_host("test-host"),
    message="URL is on a staging host",
    example="loc is on {value}, which looks like a staging host",
    fix="Build the sitemap with the public address of the site.",
    sources=("urlset",),
    checks=("D12",),
)
