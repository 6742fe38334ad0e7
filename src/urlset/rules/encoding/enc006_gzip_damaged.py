"""Checks for gzip files that are truncated or contain corrupt data.

## Why is this bad
A search engine that cannot decompress the file reports an error and reads nothing. urlset keeps everything before the
damage; the number of missing entries is unknown.

## Fails
```xml
<!-- sitemap.xml.gz: only 10,240 of 48,311 bytes arrived -->
```

## Passes
```xml
<!-- sitemap.xml.gz is complete: `gzip -t sitemap.xml.gz` prints nothing -->
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="ENC006",
    name="gzip-damaged",
    severity=Severity.ERROR,
    detail="CASE kind WHEN 'gzip-truncated' THEN 'gzip data is truncated' ELSE 'gzip data is corrupt' END",
    kinds=("gzip-truncated", "gzip-corrupt"),
    message="gzip file is damaged",
    example="{detail}",
    fix="Write the file again, and publish it only when it is complete.",
    advice=(
        "Test a file with `gzip -t`. If only the download is damaged, look for a server that truncates long responses "
        "or compresses them a second time."
    ),
    sources=(
        "https://www.rfc-editor.org/rfc/rfc1952#section-2",
        "https://support.google.com/webmasters/answer/7451001",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    checks=("B05",),
    fixable=Fixable.ALWAYS,
)
