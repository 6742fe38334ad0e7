"""Checks for URLs of exactly 2,048 characters.

## Why is this bad
The text of the protocol requires fewer than 2,048 characters, but its schema accepts 2,048. Search engines do not
document which of the two limits they apply.

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
    needs=("long-loc",),
    where="loc_length = $max_url_length",
    message="URL is exactly {max_url_length:character|characters} long",
    example="{loc_length:character|characters}",
    effect="some search engines drop {places:URL|URLs} of this length",
    fix="Shorten the URL to fewer than {max_url_length:character|characters}.",
    advice="Most of the length is usually a query string that the page does not need.",
    sources=(
        "https://www.sitemaps.org/protocol.html#locdef",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
    ),
    checks=("D04",),
)
