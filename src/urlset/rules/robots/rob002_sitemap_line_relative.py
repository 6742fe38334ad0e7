"""Checks for a Sitemap line in robots.txt whose value is not a full URL.

## Why is this bad
The protocol wants the full URL. Google and others pass a relative one over, and the sitemap is never found.

## Fails
```text
Sitemap: /sitemap.xml
```

## Passes
```text
Sitemap: https://www.example.com/sitemap.xml
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ROB002",
    name="sitemap-line-relative",
    severity=Severity.ERROR,
    table="sitemap_lines",
    field="value",
    where="is_relative",
    message="A Sitemap line is relative",
    example="{value} is no full URL; {loc} was read",
    fix="Write the full URL, with scheme and host.",
    sources=(
        "https://www.sitemaps.org/protocol.html#submit_robots",
        "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#sitemap",
    ),
    checks=("A03",),
)
