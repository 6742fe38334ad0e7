"""Checks for sitemaps whose URL redirects without a `Location` header, or to something that is not an http or https
URL.

## Why is this bad
Clients cannot follow such a redirect, so nobody can fetch the sitemap.

## Fails
```text
HTTP/1.1 301 Moved Permanently
Location: htp:/example.com/s.xml
```

## Passes
```text
HTTP/1.1 301 Moved Permanently
Location: https://example.com/s.xml
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET012",
    name="redirect-broken",
    severity=Severity.ERROR,
    needs=("bad-redirect",),
    **listing_fields("error_kind = 'bad-redirect'"),
    message="Redirect has no valid target",
    example="{url}: {value}",
    fix="Set the Location header to an absolute URL or a path.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("A09",),
)
