"""Checks for pages and files of the directory for which the site returns a different status than their host would, such
as a server error. DEP002 covers 404 and 410. 401, 403, and 429 may apply to urlset only, so they are not compared.

## Why is this bad
Search engines drop URLs that return errors, and fetch a site more slowly if it returns 5xx.

## Fails
```text
dist/index.html
GET https://example.com/: 500
```

## Passes
```text
dist/index.html
GET https://example.com/: 200
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="DEP003",
    name="built-url-fails",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'status'",
    message="Built page or file returns a different status",
    example="{about:whole}",
    effect="search engines drop {places:URL|URLs} if that lasts",
    fix="Look for the error in the logs of the host, and deploy again.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/http-network-errors",),
    needs_server=True,
    checks=("J02",),
)
