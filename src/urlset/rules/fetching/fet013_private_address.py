"""Checks for a sitemap on a host whose address lies in a private network: 10.0.0.0/8, 127.0.0.1 or the like. urlset did
not connect, since what a stranger's file names could be anything in your own network.

## Why is this bad
Nobody outside that network can fetch it. Addresses of a staging server tend to slip into an index.

## Fails
```text
<sitemap><loc>http://10.0.0.5/sitemap.xml</loc></sitemap>
```

## Passes
```text
<sitemap><loc>https://www.example.com/sitemap.xml</loc></sitemap>
```
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
    advice=(
        "A private site that you name as a target is read with everything that it lists on its own origin. "
        "`--allow-private` is needed where sites of your network list each other."
    ),
    sources=(
        "https://www.rfc-editor.org/rfc/rfc6890",
        "https://cwe.mitre.org/data/definitions/918.html",
    ),
    checks=("D12",),
)
