"""Checks for Zstandard and Brotli files that are truncated or contain damaged data. For gzip, see ENC006.

## Why is this bad
The URLs after the damage are lost. urlset keeps everything before it; the number of missing entries is unknown.

## Fails
```text
sitemap.xml.zst: only 10,240 of 48,311 bytes arrived
```

## Passes
```text
sitemap.xml.zst is complete: `zstd -t sitemap.xml.zst` reports no error
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ENC012",
    name="compression-damaged",
    severity=Severity.ERROR,
    table="documents",
    needs=("zstd|br",),
    where="compression IN ('zstd', 'br') AND error IS NOT NULL AND NOT complete",
    message="Compressed file is damaged",
    example="{error}",
    fix="Write the file again with gzip, and publish it only when it is complete.",
    sources=("https://www.rfc-editor.org/rfc/rfc8878", "https://www.rfc-editor.org/rfc/rfc7932"),
    checks=("B05",),
)
