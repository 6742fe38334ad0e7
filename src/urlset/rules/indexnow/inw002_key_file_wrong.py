"""Checks for IndexNow key files that a site declares and serves, but that do not hold the key alone: an HTML page, text
next to the key, or a key other than the one in robots.txt. Line breaks around the key are allowed.

## Why is this bad
A search engine compares the key file with the key of a notification. If they differ, it rejects every URL with status
403.

## Fails
```text
GET /0b1c2d3e4f5a6b7c.txt

<!doctype html>
```

## Passes
```text
GET /0b1c2d3e4f5a6b7c.txt

0b1c2d3e4f5a6b7c
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="INW002",
    name="key-file-wrong",
    severity=Severity.WARNING,
    table="key_files",
    field="written",
    where="problem IN ('not-a-key', 'other-key')",
    message="Declared IndexNow key file does not hold the key",
    example="{detail}",
    detail="url || ' (declared by ' || page || ') ' || reason",
    effect="search engines that use IndexNow reject what you submit with {places:key|keys}",
    fix="Publish a file that contains the key and nothing else.",
    advice="`urlset notify key` writes such a file; `urlset notify` compares it with the published one byte by byte.",
    sources=("https://www.indexnow.org/documentation",),
    checks=("K14",),
)
