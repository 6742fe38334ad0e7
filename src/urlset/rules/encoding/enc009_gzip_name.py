"""Checks for files whose name ends in .gz although they are not compressed, or the reverse. Only local files are
checked: a response may be compressed and decompressed in transit.

## Why is this bad
urlset goes by the bytes, and so do most search engines. A server that goes by the name sends the wrong headers, and a
program that decompresses by name fails.

## Fails
```text
sitemap.xml.gz starts with <?xml
```

## Passes
```text
sitemap.xml.gz starts with 1F 8B, the first bytes of gzip
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ENC009",
    name="gzip-name-mismatch",
    severity=Severity.INFO,
    table="documents",
    needs=("misnamed",),
    where=(
        "host IS NULL AND bytes > 0 AND (site_path LIKE '%.gz' AND compression = 'none' OR compression = "
        "'gzip' AND site_path NOT LIKE '%gz')"
    ),
    message="File name does not match the compression",
    example="file name is {site_path}, compression is {compression}",
    fix="Compress the file, or rename it.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc1952",
        "https://www.sitemaps.org/protocol.html",
    ),
    checks=("B06",),
)
