"""Checks for URLs longer than 2,048 characters.

## Why is this bad
The sitemap protocol limits `<loc>` to fewer than 2,048 characters. The official schema accepts exactly 2,048 and
rejects anything longer. Search engines drop longer URLs, and some servers reject requests for them.

## Fails
```xml
<url><loc>https://example.com/?q=aaaa…(2,049 characters in all)</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/?q=aaaa</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC003",
    name="url-too-long",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    needs=("long-loc",),
    where="loc_length > $max_url_length",
    message="URL is longer than {max_url_length:character|characters}",
    example="{loc_length:character|characters}",
    fix="Shorten the URL to fewer than {max_url_length:character|characters}.",
    advice="Most of the length is usually a query string that the page does not need.",
    sources=(
        "https://www.sitemaps.org/protocol.html#locdef",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
    ),
    checks=("D04",),
)
