"""Checks for a loc of exactly 2,048 characters.

## Why is this bad
The prose of the protocol wants fewer than 2,048 characters, its schema accepts 2,048. Which of the two an engine
follows is not documented.

## Fails
```xml
<url><loc>https://example.com/?q=aaaa…(2,048 characters in all)</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/?q=aaaa</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC006",
    name="url-length-at-limit",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    only="loc_longest >= $max_url_length",
    where="loc_length = $max_url_length",
    message="URL is exactly {max_url_length:character|characters} long",
    example="loc is {loc_length:character|characters} long, which is the limit itself",
    fix="Give the page a shorter address, of fewer than {max_url_length:character|characters}.",
    advice="Most of the length is usually a query string that the page does not need.",
    sources=(
        "https://www.sitemaps.org/protocol.html#locdef",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
    ),
    checks=("D04",),
)
