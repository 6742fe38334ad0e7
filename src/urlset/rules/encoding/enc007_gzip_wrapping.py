"""Checks for a gzip file with other bytes after its end, or one that was packed twice.

## Why is this bad
urlset reads both. Others do not: some readers fail at the bytes that follow, and hardly any unpacks a second time, so
that the engine sees no XML. Packing twice happens when a server compresses a file that is a .gz already.

## Fails
```xml
<!-- sitemap.xml.gz: gzip data, then the bytes of an HTML comment that a caching plug-in appended -->
```

## Passes
```xml
<!-- sitemap.xml.gz: gzip data and nothing else -->
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="ENC007",
    name="gzip-wrapping",
    severity=Severity.WARNING,
    detail=(
        "CASE kind WHEN 'gzip-twice' THEN 'the file was packed twice' ELSE 'other bytes follow the gzip "
        "data: ' || evidence END"
    ),
    kinds=("gzip-trailing-data", "gzip-twice"),
    message="The gzip file is packed twice or followed by other bytes",
    example="{detail}",
    fix="Pack the file once and append nothing to it.",
    advice=(
        "Keep plug-ins and templates from writing to the file after it was compressed, and turn off compression by "
        "the server for .gz files."
    ),
    sources=(
        "https://www.rfc-editor.org/rfc/rfc1952#section-2",
        "https://github.com/ArchiveTeam/wpull/issues/484",
        "urlset",
    ),
    checks=("B06",),
    fixable=Fixable.ALWAYS,
)
