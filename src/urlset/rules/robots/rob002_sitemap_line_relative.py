"""Checks for `Sitemap` lines in robots.txt whose value is not an absolute URL.

## Why is this bad
The protocol requires the full URL. Google and other search engines ignore a relative one and never find the sitemap.

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
    message="Sitemap line in robots.txt is relative",
    example="{value} is not an absolute URL; urlset read {loc}",
    fix="Write the full URL, with scheme and host.",
    sources=(
        "https://www.sitemaps.org/protocol.html#submit_robots",
        "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#sitemap",
    ),
    checks=("A03",),
)
