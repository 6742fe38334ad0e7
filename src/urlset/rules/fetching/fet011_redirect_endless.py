"""FET011: redirect-endless

## What
A sitemap whose redirects lead in a circle, or do not end within ten.

## Why
Nobody can fetch it. Often two rules contradict each other, one that adds a slash or www and one that takes it away.

## Fails
```text
/sitemap.xml → /sitemap.xml/ → /sitemap.xml → …
```

## Passes
```text
/sitemap.xml → /sitemap_index.xml
```

## Fix
Follow the redirects one by one, `curl -I`, and remove the rule that leads back.

## Sources
- https://support.google.com/webmasters/answer/7451001
- https://www.rfc-editor.org/rfc/rfc9110#section-15.4
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
    sources=(
        "https://support.google.com/webmasters/answer/7451001",
        "https://www.rfc-editor.org/rfc/rfc9110#section-15.4",
    ),
    checks=("A09",),
)
