"""Checks for a sitemap whose address redirects to another host; www.example.com and example.com are two.

## Why is this bad
A sitemap speaks for the host that it is on. After the redirect that is another one, and engines may drop every URL of
the host that was asked, unless its robots.txt names this sitemap.

## Fails
```text
https://example.com/sitemap.xml
→ 301 https://cdn.example.net/sitemap.xml
```

## Passes
```text
https://example.com/sitemap.xml
→ 200
```
"""

from urlset.rules.listed import ASKED_HOST, redirected
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET018",
    name="redirected-to-other-host",
    severity=Severity.WARNING,
    **redirected(f"host <> {ASKED_HOST}"),
    message="The sitemap redirects to another host",
    example="{url} redirects ({statuses}) to {value}",
    fix="Serve the sitemap from its own host, or name the final address in robots.txt.",
    sources=(
        "https://www.sitemaps.org/protocol.html#location",
        "https://www.sitemaps.org/protocol.html#sitemaps_cross_submits",
    ),
    checks=("A08",),
)
