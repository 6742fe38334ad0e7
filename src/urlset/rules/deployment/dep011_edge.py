"""Checks for URLs at which a cache serves different content than the origin: with an unused query added, the response
matches the build; without it, it does not.

## Why is this bad
The deployment is complete, and visitors and crawlers near this cache still get an old copy. Caches in other
places may have other copies.

## Fails
```text
GET https://example.com/about/: the old text, Age: 86400, CF-Cache-Status: HIT
GET https://example.com/about/?urlset=5f2c: the built text
```

## Passes
```text
GET https://example.com/about/: the built text
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="DEP011",
    name="edge-copy-differs",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'edge'",
    message="Cache serves different content than the origin",
    example="{about:whole}",
    effect="visitors and crawlers get an old copy of {places:URL|URLs}",
    fix="Purge the cache of the CDN after each deployment, or shorten the time that it keeps pages.",
    sources=(
        "https://developers.cloudflare.com/cache/concepts/cache-responses/",
        "https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7",
    ),
    needs_server=True,
    checks=("J18",),
)
