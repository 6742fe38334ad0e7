"""Checks for a sitemap whose connection ended before the answer did.

## Why is this bad
What came of it is not all of it: engines may drop the rest or the whole. Often a proxy in front of the server cuts long
answers off, or the program that makes the sitemap runs out of time or memory.

## Fails
```text
Content-Length: 5242880
… and the connection ends after 1048576 bytes
```

## Passes
```text
Content-Length: 5242880
… and as many bytes
```
"""

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET007",
    name="connection-lost",
    severity=Severity.ERROR,
    **listed("trouble IN ('reset', 'cut-off')"),
    message="The connection was lost",
    example="{url}: {value}",
    fix="Find out what cuts the answer off; make large sitemaps beforehand.",
    advice="Check the logs of the server and of each proxy in front of it, and split large sitemaps.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("A10", "F08", "A04"),
)
