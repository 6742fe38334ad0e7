"""Checks for URLs on a host that is named like a staging system: its name starts with `staging`, `stg`, `preprod`,
`pre-prod`, or `uat`, optionally after `www.` and optionally followed by digits, as in `staging.example.com` or
`uat2.example.com`.

URLs on the same host as the sitemap are not reported, because a site under development lists its own host in every
entry. LOC024 reports such a sitemap once.

## Why is this bad
A sitemap that was built before the release and has not been rebuilt since sends search engines to the staging copy,
which then competes with the live site or cannot be reached.

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
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="LOC015",
    name="url-staging-host",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    needs=("test-host",),
    query=on_other_host("test-host"),
    message="URL is on a staging host",
    example="loc is on {value}, which looks like a staging host",
    effect="search engines crawl {places:URL|URLs} of a staging site",
    fix="Build the sitemap with the public URL of the site.",
    sources=("urlset",),
    checks=("D12",),
)
