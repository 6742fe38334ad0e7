"""Checks for sitemaps whose URL returns a status code that means there is nothing to read, such as 404 or 410.

## Why is this bad
Search engines get no URLs from the sitemap and find its pages only through links. Search Console and Yandex Webmaster
report an error.

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

from urlset.net.status import IS_TO_US
from urlset.rules.listed import listing_fields
from urlset.rules.rule import Cause, SetRule, Severity

RULE = SetRule(
    code="FET001",
    name="http-error",
    severity=Severity.ERROR,
    needs=("http-1xx|http-3xx|http-4xx",),
    **listing_fields(
        f"""
            error_kind IS NULL AND (http_status < 200 OR http_status BETWEEN 300 AND 499)
            AND http_status NOT {IS_TO_US}
        """,
        value="http_status",
    ),
    message="Sitemap URL returns an HTTP error",
    causes=(Cause("SIT002", "TRUE"), Cause("SIT001", "TRUE")),
    example="{url} returns {value}",
    fix="Serve the sitemap with status 200, or remove every reference to it.",
    advice="References can be in a sitemap index, in robots.txt, and in the webmaster tools of search engines.",
    sources=(
        "https://support.google.com/webmasters/answer/7451001",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    checks=("A06", "F08", "A04"),
)
