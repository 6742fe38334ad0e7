"""FET013: private-address

## What
A sitemap on a host whose address lies in a private network: 10.0.0.0/8, 127.0.0.1 or the like. urlset did not connect,
since what a stranger's file names could be anything in your own network.

## Why
Nobody outside that network can fetch it. Addresses of a staging server tend to slip into an index.

## Fails
```text
<sitemap><loc>http://10.0.0.5/sitemap.xml</loc></sitemap>
```

## Passes
```text
<sitemap><loc>https://www.example.com/sitemap.xml</loc></sitemap>
```

## Fix
Name the public address. A private site that is itself a target is read with all that it lists at its own origin; where
sites of your own network list each other, give `--allow-private`.

## Sources
- https://www.rfc-editor.org/rfc/rfc6890
- https://cwe.mitre.org/data/definitions/918.html
"""

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET013",
    name="private-address",
    severity=Severity.ERROR,
    **listed("trouble = 'private-address'"),
    message="The address is private",
    example="{url}: {value}",
    fix="Name the public address; `--allow-private` checks a site of your own network.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc6890",
        "https://cwe.mitre.org/data/definitions/918.html",
    ),
    checks=("D12",),
)
