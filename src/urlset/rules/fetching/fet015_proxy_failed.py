"""Checks for sitemaps that could not be fetched because the proxy between urlset and the host failed or refused the
request.

## Why is this bad
The sitemap was not checked. The failure says nothing about the sitemap itself.

## Fails
```text
urlset validate --proxy http://localhost:3128 https://example.com/sitemap.xml
```

## Passes
```text
urlset validate https://example.com/sitemap.xml
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET015",
    name="proxy-failed",
    severity=Severity.ERROR,
    needs=("proxy",),
    **listing_fields("error_kind = 'proxy'"),
    message="Request through the proxy failed",
    example="{url}: {value}",
    fix="Check `--proxy` and the environment variables HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, and NO_PROXY.",
    sources=("urlset",),
    checks=("A10",),
)
