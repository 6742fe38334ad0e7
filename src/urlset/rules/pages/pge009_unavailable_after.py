"""Checks for a listed page whose `unavailable_after` has passed, in a robots meta element or in X-Robots-Tag.

## Why is this bad
From that moment on engines leave the page out of their results, as with noindex.

## Fails
```text
<meta name="robots" content="unavailable_after: 2025-06-25">
```

## Passes
```text
<meta name="robots" content="unavailable_after: 2036-06-25">
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE009",
    name="page-expired",
    severity=Severity.ERROR,
    table="pages",
    field="unavailable_after_at",
    where="status BETWEEN 200 AND 299 AND unavailable_after_at < $now AND noindex IS NULL",
    message="The page has expired by its own word",
    example="{url} is to be left out since {value}",
    fix="Remove the page from the sitemap, or move the date.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",),
    checks=("J06",),
)
