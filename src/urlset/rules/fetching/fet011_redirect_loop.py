"""Checks for sitemaps whose URL redirects in a loop, or more often than `max-redirects` allows (10 by default).

## Why is this bad
Nobody can fetch the sitemap. Often, two redirect rules contradict each other: one adds a trailing slash or www, and the
other removes it.

## Fails
```text
/sitemap.xml → /sitemap.xml/ → /sitemap.xml → …
```

## Passes
```text
/sitemap.xml → /sitemap_index.xml
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET011",
    name="redirect-loop",
    severity=Severity.ERROR,
    needs=("redirect-loop|too-many-redirects",),
    **listing_fields("error_kind IN ('redirect-loop', 'too-many-redirects')"),
    message="Redirect loop or too many redirects",
    example="{url}: {value}",
    fix="Remove the redirect that leads back, or shorten the chain.",
    advice="`curl -I` shows the redirects one by one.",
    sources=(
        "https://support.google.com/webmasters/answer/7451001",
        "https://www.rfc-editor.org/rfc/rfc9110#section-15.4",
    ),
    checks=("A09",),
)
