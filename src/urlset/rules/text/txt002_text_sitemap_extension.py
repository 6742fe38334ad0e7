"""Checks for text sitemaps whose file name has an extension other than .txt.

## Why is this bad
Google recommends .txt. With another extension, servers send a different Content-Type, and people expect different
content.

## Fails
```text
sitemap.xml contains
https://www.example.com/
https://www.example.com/about
```

## Passes
```text
sitemap.txt contains
https://www.example.com/
https://www.example.com/about
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TXT002",
    name="text-sitemap-extension",
    severity=Severity.INFO,
    table="documents",
    needs=("text",),
    where=(
        "kind = 'text' AND regexp_matches(lower(site_path), '[^/.][.][a-z0-9]+$') AND NOT "
        "regexp_matches(lower(site_path), '[.]txt([.]gz)?$')"
    ),
    message="Text sitemap does not have the extension .txt",
    example="path is {site_path}",
    fix="Rename the file so that its name ends in .txt.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",),
    checks=("G02",),
)
