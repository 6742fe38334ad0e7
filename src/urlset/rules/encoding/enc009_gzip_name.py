"""Checks for a file whose name ends in .gz though it is not compressed, or the reverse. Only for files: a server may
rightly pack and unpack on the way.

## Why is this bad
urlset goes by the bytes, as engines mostly do. A server that goes by the name sends the wrong headers, and a program
that unpacks by the name fails.

## Fails
```text
sitemap.xml.gz, which begins with <?xml
```

## Passes
```text
sitemap.xml.gz, which begins with the bytes 1F 8B of gzip
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ENC009",
    name="gzip-name-mismatch",
    severity=Severity.INFO,
    table="documents",
    where=(
        "host IS NULL AND bytes > 0 AND (site_path LIKE '%.gz' AND compression = 'none' OR compression = "
        "'gzip' AND site_path NOT LIKE '%gz')"
    ),
    message="Name and compression do not agree",
    example="the name is {site_path}, the compression is {compression}",
    fix="Compress the file or change its name.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc1952",
        "https://www.sitemaps.org/protocol.html",
    ),
    checks=("B06",),
)
