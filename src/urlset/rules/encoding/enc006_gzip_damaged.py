"""Checks for a gzip file that breaks off before its end or that holds damaged data.

## Why is this bad
An engine that cannot unpack the file reports an error and reads nothing of it. urlset keeps what comes before the
damage; how many entries are missing cannot be known.

## Fails
```xml
<!-- sitemap.xml.gz: 10,240 of its 48,311 bytes arrived -->
```

## Passes
```xml
<!-- sitemap.xml.gz, whole: `gzip -t sitemap.xml.gz` says nothing -->
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="ENC006",
    name="gzip-damaged",
    severity=Severity.ERROR,
    detail="CASE kind WHEN 'gzip-truncated' THEN 'the gzip data end too early' ELSE 'the gzip data are damaged' END",
    kinds=("gzip-truncated", "gzip-corrupt"),
    message="The gzip file is damaged",
    example="{detail}",
    fix="Write the file again; publish it only when it is complete.",
    advice=(
        "`gzip -t` tests a file. If only the download is damaged, look for a server that cuts long responses off "
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
