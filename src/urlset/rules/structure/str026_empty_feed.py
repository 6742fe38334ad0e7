"""Checks for RSS and Atom feeds without entries.

## Why is this bad
It is harmless if nothing was published yet, as in a category without posts. If the feed is submitted as a sitemap, it
lists no pages.

## Fails
```xml
<rss version="2.0"><channel><title>News</title></channel></rss>
```

## Passes
```xml
<rss version="2.0"><channel><title>News</title>
  <item><link>https://example.com/first</link></item>
</channel></rss>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Severity

RULE = EntryRule(
    code="STR026",
    name="empty-feed",
    severity=Severity.HINT,
    table="documents",
    needs=("no-entries",),
    field="entries",
    where="entries = 0 AND complete AND kind IN ('rss', 'atom')",
    message="Feed is empty",
    example="{kind} feed without entries",
    fix="Submit the feed once it has entries.",
    sources=("https://support.google.com/webmasters/answer/7451001", "urlset"),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("C14",),
)
