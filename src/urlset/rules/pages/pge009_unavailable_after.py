"""Checks for listed pages whose `unavailable_after` date has passed. The date can be in a robots meta tag or an
`X-Robots-Tag` header.

## Why is this bad
From that date on, search engines leave the page out of their results, as with `noindex`.

## Fails
```text
<meta name="robots" content="unavailable_after: 2025-06-25">
```

## Passes
```text
<meta name="robots" content="unavailable_after: 2036-06-25">
```
"""

from urlset.rules.queries import OF_REDIRECTS
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE009",
    name="page-expired",
    severity=Severity.ERROR,
    table="pages",
    field="unavailable_after_at",
    where="status BETWEEN 200 AND 299 AND unavailable_after_at < $now AND noindex IS NULL",
    causes=OF_REDIRECTS,
    message="Page has expired (unavailable_after)",
    example="{url} has unavailable_after {value}",
    fix="Remove the URL from the sitemap, or change the date.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",),
    checks=("J06",),
)
