"""Checks for sitemaps whose URL redirects to another URL on the same host. Redirects of the common locations that
urlset tries itself are not reported.

## Why is this bad
Yandex shows such a sitemap with a separate status, Bing asks for the final URL, and every fetch takes an extra request.
Redirects like this are forgotten and eventually break.

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

from urlset.rules.listed import redirect_fields
from urlset.rules.queries import SAME_BUT_SPELLING
from urlset.rules.rule import Cause, SetRule, Severity

RULE = SetRule(
    code="FET017",
    name="redirected",
    severity=Severity.WARNING,
    needs=("redirected",),
    **redirect_fields("coalesce(found_by, '') <> 'well-known' AND host = requested_host"),
    message="Sitemap URL redirects",
    causes=(Cause("SIT005", SAME_BUT_SPELLING.format(one="url", other="value")),),
    example="{url} redirects to {value} ({statuses})",
    effect="crawlers need an extra request for {places:sitemap|sitemaps}",
    fix="Use the final URL in the sitemap index, in robots.txt, and in the webmaster tools of search engines.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://www.bing.com/webmasters/help/sitemaps-3b5cf6ed",
    ),
    checks=("A07",),
)
