"""Checks for a sitemap whose address cannot be asked for, though it looks like one: its port or its host is none.

## Why is this bad
Nobody can fetch it. When an index lists it, IDX005 and IDX006 say so already and this rule is silent.

## Fails
```text
Sitemap: https://example.com:99999/sitemap.xml
```

## Passes
```text
Sitemap: https://example.com/sitemap.xml
```
"""

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET016",
    name="address-unusable",
    severity=Severity.ERROR,
    **listed("trouble = 'bad-url'", where="loc_problem IS NULL"),
    message="The address cannot be asked for",
    example="{url}: {value}",
    fix="Correct the address.",
    sources=("https://www.rfc-editor.org/rfc/rfc3986#section-3.2",),
    checks=("D03",),
)
