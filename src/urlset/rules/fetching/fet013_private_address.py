"""Checks for sitemaps on a host with a private IP address, such as 10.0.0.5 or 127.0.0.1. urlset does not connect
there, because an untrusted sitemap could otherwise make it send requests to servers in your own network.

## Why is this bad
Nobody outside that network can fetch the sitemap. Usually, the URL of a staging server has ended up in a sitemap index.

## Fails
```text
<sitemap><loc>http://10.0.0.5/sitemap.xml</loc></sitemap>
```

## Passes
```text
<sitemap><loc>https://www.example.com/sitemap.xml</loc></sitemap>
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET013",
    name="private-address",
    severity=Severity.ERROR,
    needs=("private-address",),
    **listing_fields("error_kind = 'private-address'"),
    message="Host has a private IP address",
    example="{url}: {value}",
    fix="Use the public URL. For a site in your own network, run urlset in a terminal with `--allow-private`.",
    advice=(
        "If you pass a private site as a target, urlset reads it and everything that it lists on the same origin."
        " `--allow-private` is needed only if sites in your network list each other."
    ),
    sources=(
        "https://www.rfc-editor.org/rfc/rfc6890",
        "https://cwe.mitre.org/data/definitions/918.html",
    ),
    checks=("D12",),
)
