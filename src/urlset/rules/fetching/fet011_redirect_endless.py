"""Checks for a sitemap whose redirects lead in a circle, or do not end within ten.

## Why is this bad
Nobody can fetch it. Often two rules contradict each other, one that adds a slash or www and one that takes it away.

## Fails
```text
/sitemap.xml → /sitemap.xml/ → /sitemap.xml → …
```

## Passes
```text
/sitemap.xml → /sitemap_index.xml
```
"""

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET011",
    name="redirect-endless",
    severity=Severity.ERROR,
    **listed("trouble IN ('redirect-loop', 'too-many-redirects')"),
    message="The redirects have no end",
    example="{url}: {value}",
    fix="Remove the redirect that leads back.",
    advice="`curl -I` shows the redirects one by one.",
    sources=(
        "https://support.google.com/webmasters/answer/7451001",
        "https://www.rfc-editor.org/rfc/rfc9110#section-15.4",
    ),
    checks=("A09",),
)
