"""FET017: redirected

## What
A sitemap whose address redirects to another of the same host. Well-known addresses that urlset tried by itself may
redirect.

## Why
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

## Fix
Name the final address in the index, in robots.txt and in the engines' consoles.

## Sources
- https://yandex.com/support/webmaster/error-dictionary/sitemap.html
- https://www.bing.com/webmasters/help/sitemaps-3b5cf6ed
"""

from urlset.rules.listed import LISTED_NEEDS, listed
from urlset.rules.rule import Rule, Scope, Severity, Span

RULE = Rule(
    code="FET017",
    name="redirected",
    severity=Severity.WARNING,
    scope=Scope.SET,
    span=Span.RUN,
    table="children",
    field="loc",
    query=listed(
        """
            trouble IS NULL AND http_status BETWEEN 200 AND 299 AND len(redirects) > 0
            AND coalesce(found_by, '') <> 'well-known'
            AND host = lower(regexp_extract(url, '^[a-zA-Z]+://([^/?#@]*@)?([^/?#:]+)', 2))
        """,
        value="final_url",
        extra=", array_to_string(redirect_statuses, ', ') AS statuses",
    ),
    needs=dict(LISTED_NEEDS),
    message="The sitemap redirects",
    example="{url} redirects ({statuses}) to {value}",
    fix="Name the final address.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://www.bing.com/webmasters/help/sitemaps-3b5cf6ed",
    ),
    checks=("A07",),
)
