"""Checks for a sitemap that redirects nowhere: without a Location, or to one that is no http or https URL.

## Why is this bad
Nobody can follow it.

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

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET012",
    name="redirect-broken",
    severity=Severity.ERROR,
    **listed("trouble = 'bad-redirect'"),
    message="The redirect leads nowhere",
    example="{url}: {value}",
    fix="Correct the Location header: it takes an absolute URL or a path.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("A09",),
)
