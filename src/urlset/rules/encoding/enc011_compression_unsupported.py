"""Checks for sitemaps that are compressed with Zstandard (`.zst`) or Brotli (`.br`) instead of gzip. A response with a
`Content-Encoding` is not affected: its compression ends with the transfer.

## Why is this bad
The sitemap protocol allows gzip only. urlset decompresses these files, but search engines report them as unreadable and
ignore every URL in them.

## Fails
```text
sitemap.xml.zst starts with 28 B5 2F FD, the first bytes of Zstandard
```

## Passes
```text
sitemap.xml.gz starts with 1F 8B, the first bytes of gzip
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ENC011",
    name="compression-unsupported",
    severity=Severity.ERROR,
    table="documents",
    detail="CASE compression WHEN 'zstd' THEN 'Zstandard' ELSE 'Brotli' END",
    needs=("zstd|br",),
    where="compression IN ('zstd', 'br')",
    message="Sitemap is compressed in a format other than gzip",
    example="the file is compressed with {detail}",
    fix="Compress the file with gzip, or publish it uncompressed.",
    advice="To save bandwidth without gzip files, configure the server to compress responses with a Content-Encoding.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("B08",),
)
