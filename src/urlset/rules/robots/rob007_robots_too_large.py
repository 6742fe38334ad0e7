"""Checks for robots.txt files larger than 500 KiB.

## Why is this bad
Crawlers must read at least 500 KiB, and Google reads no more. Rules and `Sitemap` lines beyond that are ignored.

## Fails
```text
robots.txt of 700,000 bytes
```

## Passes
```text
robots.txt of 3,000 bytes
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ROB007",
    name="robots-too-large",
    severity=Severity.WARNING,
    table="robots_files",
    field="bytes_unread",
    where="bytes_unread > 0",
    message="robots.txt is larger than 500 KiB",
    example="{bytes:byte|bytes} ({bytes_unread:,} not read)",
    effect="crawlers ignore what follows the first 500 KiB of {places:robots.txt|robots.txt files}",
    fix="Shorten robots.txt, and put Sitemap lines first.",
    advice="Merge rules with wildcards, and remove rules for pages that no longer exist.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.5",
        "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#file-size",
    ),
    checks=("A02",),
)
