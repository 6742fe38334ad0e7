"""Checks for sitemaps whose response is not valid HTTP, or whose body is not in the encoding that the
`Content-Encoding` header declares.

## Why is this bad
Search engines cannot read the sitemap. A body that is compressed twice, or that is declared as compressed but is not,
is a common mistake of caches and of scripts that compress files themselves.

## Fails
```text
Content-Encoding: gzip
… and a body that is not gzip
```

## Passes
```text
Content-Encoding: gzip
… and a gzip body
```
"""

from urlset.rules.listed import listing_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET014",
    name="response-unreadable",
    severity=Severity.ERROR,
    needs=("bad-response|bad-encoding",),
    **listing_fields("error_kind IN ('bad-response', 'bad-encoding')"),
    message="Response is invalid or cannot be decoded",
    example="{url}: {value}",
    fix="Correct the response; compress in one place only: in the server, or in the program that writes the file.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9110#section-8.4",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("A10",),
)
