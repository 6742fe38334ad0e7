"""Checks for a sitemap on a host whose name cannot be resolved.

## Why is this bad
Nobody can fetch it. The name is mistyped or has expired, or its servers do not answer.

## Fails
```text
https://ww.example.com/sitemap.xml
```

## Passes
```text
https://www.example.com/sitemap.xml
```
"""

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET005",
    name="host-not-found",
    severity=Severity.ERROR,
    **listed("trouble = 'dns'"),
    message="The host's name cannot be resolved",
    example="{url}: {value}",
    fix="Correct the host's name, or its entry in DNS.",
    advice="If the name is right, ask whoever runs its DNS.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A10", "F08", "A04"),
)
