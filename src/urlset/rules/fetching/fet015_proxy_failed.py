"""Checks for a sitemap that could not be asked for, since the proxy between urlset and the host did not let it through.

## Why is this bad
It says nothing about the sitemap: it was not judged.

## Fails
```text
urlset validate --proxy http://localhost:3128 https://example.com/sitemap.xml
```

## Passes
```text
urlset validate https://example.com/sitemap.xml
```
"""

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET015",
    name="proxy-failed",
    severity=Severity.ERROR,
    **listed("trouble = 'proxy'"),
    message="The proxy did not let the request through",
    example="{url}: {value}",
    fix="Check `--proxy` and the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
    sources=("urlset",),
    checks=("A10",),
)
