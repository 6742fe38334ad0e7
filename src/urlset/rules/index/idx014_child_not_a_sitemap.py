"""Checks for an index that lists something that is no sitemap: an HTML page, JSON, an image, nothing at all. STR001
says it of the document itself.

## Why is this bad
No engine reads a URL from it. Most often it is an error page or a login page that is sent with status 200.

## Fails
```text
<sitemap><loc>https://www.example.com/about.html</loc></sitemap>
```

## Passes
```text
<sitemap><loc>https://www.example.com/sitemap-pages.xml</loc></sitemap>
```
"""

from urlset.rules.listed import SITEMAP_KINDS, answered
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="IDX014",
    name="child-not-a-sitemap",
    severity=Severity.ERROR,
    **answered(
        f"kind NOT IN {SITEMAP_KINDS}",
        value="CASE kind WHEN 'html' THEN 'an HTML page' WHEN 'empty' THEN 'empty' ELSE 'of the kind ' || kind END",
    ),
    message="Index lists something that is no sitemap",
    example="{url} is {value}",
    fix="Correct the address, or remove the entry.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("F12",),
)
