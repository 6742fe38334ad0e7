"""Checks for gzip files that have other bytes after the gzip data, or that are compressed twice.

## Why is this bad
urlset reads both. Other readers do not: some fail at the trailing bytes, and few decompress twice, so a search engine
finds no XML. Double compression happens when a server compresses a file that is already a .gz file.

## Fails
```xml
<!-- sitemap.xml.gz: gzip data, followed by an HTML comment that a caching plug-in appended -->
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
        "CASE kind WHEN 'gzip-twice' THEN 'the file is compressed twice' ELSE 'trailing bytes after the gzip "
        "data: ' || evidence END"
    ),
    kinds=("gzip-trailing-data", "gzip-twice"),
    message="gzip is nested or has trailing bytes",
    example="{detail}",
    effect="some crawlers cannot unpack {places:file|files}, or read only a part",
    fix="Compress the file once, and append nothing to it.",
    advice=(
        "Keep plug-ins and templates from writing to the file after it is compressed, and disable server compression "
        "for .gz files."
    ),
    sources=(
        "https://www.rfc-editor.org/rfc/rfc1952#section-2",
        "https://github.com/ArchiveTeam/wpull/issues/484",
        "urlset",
    ),
    checks=("B06",),
    fixable=Fixable.ALWAYS,
)
