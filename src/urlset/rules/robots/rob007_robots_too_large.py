"""Checks for a robots.txt of more than 500 KiB.

## Why is this bad
Crawlers must read 500 KiB of it, and Google reads no more. Rules and Sitemap lines beyond that do not count.

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
    message="robots.txt is too large",
    example="it has {bytes:byte|bytes}, of which {value:was|were} not read",
    fix="Shorten robots.txt, and put Sitemap lines first.",
    advice="Merge rules with wildcards, and remove those of pages that no longer exist.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.5",
        "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#file-size",
    ),
    checks=("A02",),
)
