"""Checks for a sitemap whose address answers with a status that means there is nothing to read, 404 or 410 for
instance.

## Why is this bad
An engine gets no URL from it, and Search Console and Yandex report an error. Whatever it listed is found by links
alone.

## Fails
```text
GET /sitemap.xml
HTTP/1.1 404 Not Found
```

## Passes
```text
GET /sitemap.xml
HTTP/1.1 200 OK
```
"""

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET001",
    name="http-error",
    severity=Severity.ERROR,
    **listed(
        """
            trouble IS NULL AND (http_status < 200 OR http_status BETWEEN 300 AND 499)
            AND http_status NOT IN (401, 403, 429)
        """,
        value="http_status",
    ),
    message="The sitemap answers with an HTTP error",
    example="{url} answers {value}",
    fix="Serve the sitemap with status 200, or remove what names it.",
    advice="It may be named in an index, in robots.txt, and in the search engines' consoles.",
    sources=(
        "https://support.google.com/webmasters/answer/7451001",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    checks=("A06", "F08", "A04"),
)
