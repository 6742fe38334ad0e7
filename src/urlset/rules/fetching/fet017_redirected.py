"""Checks for a sitemap whose address redirects to another of the same host. Well-known addresses that urlset tried by
itself may redirect.

## Why is this bad
Yandex lists such a sitemap under a status of its own, Bing asks for the final address, and every fetch costs one
request more. Redirects of this kind are forgotten, and break one day.

## Fails
```text
https://www.example.com/sitemap.xml
→ 301 https://www.example.com/sitemap_index.xml
```

## Passes
```text
https://www.example.com/sitemap_index.xml
→ 200
```
"""

from urlset.rules.listed import ASKED_HOST, redirected
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET017",
    name="redirected",
    severity=Severity.WARNING,
    **redirected(f"coalesce(found_by, '') <> 'well-known' AND host = {ASKED_HOST}"),
    message="The sitemap redirects",
    example="{url} redirects ({statuses}) to {value}",
    fix="Name the final URL in the index, in robots.txt and in the search engines' consoles.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://www.bing.com/webmasters/help/sitemaps-3b5cf6ed",
    ),
    checks=("A07",),
)
