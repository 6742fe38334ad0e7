"""Checks for sitemaps whose URL cannot be requested, for example because its host or port is invalid.

## Why is this bad
Nobody can fetch the sitemap. If a sitemap index lists the URL, IDX005 and IDX006 report it, and this rule does not.

## Fails
```text
Sitemap: https://example.com:99999/sitemap.xml
```

## Passes
```text
Sitemap: https://example.com/sitemap.xml
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET016",
    name="sitemap-url-unusable",
    severity=Severity.ERROR,
    needs=("bad-url",),
    **listing_fields("error_kind = 'bad-url'", where="loc_problem IS NULL"),
    message="Sitemap URL cannot be requested",
    example="{url}: {value}",
    fix="Correct the URL.",
    sources=("https://www.rfc-editor.org/rfc/rfc3986#section-3.2",),
    checks=("D03",),
)
