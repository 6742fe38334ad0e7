"""Checks for a text sitemap whose name ends in something other than .txt.

## Why is this bad
Google recommends .txt. Under another name, servers send another type and people expect another content.

## Fails
```text
sitemap.xml, which holds
https://www.example.com/
https://www.example.com/about
```

## Passes
```text
sitemap.txt, which holds
https://www.example.com/
https://www.example.com/about
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TXT002",
    name="text-name",
    severity=Severity.INFO,
    table="documents",
    where=(
        "kind = 'text' AND regexp_matches(lower(site_path), '[^/.][.][a-z0-9]+$') AND NOT "
        "regexp_matches(lower(site_path), '[.]txt([.]gz)?$')"
    ),
    message="A text sitemap is not called .txt",
    example="its name is {site_path}",
    fix="Give the file a name that ends in .txt.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",),
    checks=("G02",),
)
