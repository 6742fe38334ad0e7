"""Checks for pages whose title or main text differs from the built one. Minification and e-mail addresses that
Cloudflare obfuscates are not reported, since the text is the same. With `--store`, the finding names the run that had
this content.

## Why is this bad
Visitors and search engines see a different version than the one that was built, usually an older one.

## Fails
```text
dist/about/index.html: <h1>Chairs of 2026</h1>
GET https://example.com/about/: <h1>Chairs of 2025</h1>
```

## Passes
```text
dist/about/index.html: <h1>Chairs of 2026</h1>
GET https://example.com/about/: <h1>Chairs of 2026</h1>, without line breaks
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="DEP010",
    name="page-content-differs",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'content'",
    message="Page content differs from the build",
    example="{about:whole}",
    effect="visitors and search engines get another version of {places:page|pages}",
    fix="Deploy the directory again, check which deployment the domain shows, and clear the cache of the CDN.",
    sources=("urlset",),
    needs_server=True,
    checks=("J18",),
)
