"""Checks for sitemaps whose response is larger than urlset reads: a body beyond `--max-document-bytes` (200 MiB by
default), or headers beyond `max-header-bytes` (64 KiB by default).

## Why is this bad
The protocol limits a sitemap to 50 MiB. By default, urlset reads more than that, but it did not read or check the rest
of this one.

## Fails
```text
GET /sitemap.xml
… 210 MiB
```

## Passes
```text
GET /sitemap.xml
… 12 MiB
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET010",
    name="response-too-large",
    severity=Severity.ERROR,
    needs=("too-large|headers-too-large",),
    **listing_fields(
        "error_kind IN ('too-large', 'headers-too-large')",
        value=(
            "coalesce(error, CASE error_kind WHEN 'too-large' THEN 'body exceeds the size limit' ELSE error_kind END)"
        ),
    ),
    message="Response exceeds the size limit",
    example="{url}: {value}",
    fix="Split the sitemap, and list the parts in a sitemap index.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://cwe.mitre.org/data/definitions/770.html",
    ),
    checks=("F02",),
)
