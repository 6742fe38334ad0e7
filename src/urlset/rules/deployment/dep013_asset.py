"""Checks for other files of the directory, such as images, scripts, and styles, whose bytes differ from the built
ones; only with `--assets`. CDNs that minify scripts or compress images change bytes on purpose.

## Why is this bad
A style or script of another build can break the pages that need it.

## Fails
```text
dist/app.css: 1,204 bytes
GET https://example.com/app.css: 1,198 other bytes
```

## Passes
```text
dist/app.css
GET https://example.com/app.css: the same bytes
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="DEP013",
    name="asset-differs",
    severity=Severity.INFO,
    table="served",
    field="url",
    where="difference = 'asset'",
    message="Asset differs from the build",
    example="{about:whole}",
    fix="Deploy the file again, unless the host minifies or compresses it.",
    sources=("urlset",),
    needs_server=True,
    checks=("J18",),
)
