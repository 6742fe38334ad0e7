"""Checks for a listed URL that robots.txt forbids a crawler to fetch. Asked about are the crawlers of the run,
Googlebot and Bingbot unless it says otherwise; those of AI are left to ROB010.

## Why is this bad
The sitemap asks for a visit that robots.txt forbids. Search Console reports each such URL, and the page is not read: it
can at best be listed without a description. The longest rule decides, as RFC 9309 has it.

## Fails
```text
# robots.txt
User-agent: *
Disallow: /*?sort=

# sitemap.xml
<url><loc>https://www.example.com/shoes?sort=price</loc></url>
```

## Passes
```text
# sitemap.xml
<url><loc>https://www.example.com/shoes</loc></url>
```
"""

from urlset.rules.crawlers import IS_NO_AI, forbidden_urls
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="ROB009",
    name="url-forbidden",
    severity=Severity.ERROR,
    table="forbidden",
    field="loc",
    query=forbidden_urls(IS_NO_AI),
    message="robots.txt forbids the URL",
    example="closed to {value} by line {robots_line} of robots.txt ({pattern})",
    fix="Remove the URL from the sitemap, or allow it in robots.txt.",
    advice="`urlset robots` shows who may fetch what, and which line decides.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2",
        "https://support.google.com/webmasters/answer/7451001",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J09",),
)
