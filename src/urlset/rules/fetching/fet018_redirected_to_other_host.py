"""Checks for sitemaps whose URL redirects to another host. www.example.com and example.com are different hosts.

## Why is this bad
A sitemap is valid only for the host that serves it, and the redirect changes that host. Search engines may ignore every
URL of the original host, unless its robots.txt lists this sitemap.

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

from urlset.rules.listed import redirect_fields
from urlset.rules.queries import SAME_BUT_SPELLING
from urlset.rules.rule import Cause, SetRule, Severity

RULE = SetRule(
    code="FET018",
    name="redirected-to-other-host",
    severity=Severity.WARNING,
    needs=("redirected",),
    **redirect_fields("host <> requested_host"),
    message="Sitemap URL redirects to another host",
    causes=(Cause("SIT005", SAME_BUT_SPELLING.format(one="url", other="value")),),
    example="{url} redirects to {value} ({statuses})",
    effect=(
        "search engines may ignore {places:sitemap, because another host serves it|sitemaps, because another "
        "host serves them}"
    ),
    # Of a directory, only its sources say that it has another host, and SIT005 reports these.
    needs_server=True,
    fix="Serve the sitemap from its own host, or list the final URL in robots.txt.",
    sources=(
        "https://www.sitemaps.org/protocol.html#location",
        "https://www.sitemaps.org/protocol.html#sitemaps_cross_submits",
    ),
    checks=("A08",),
)
