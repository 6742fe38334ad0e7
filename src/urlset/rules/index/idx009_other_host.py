"""Checks for an index that lists a sitemap of another host than its own. For an index that was not fetched, the host of
most of its sitemaps takes its place.

## Why is this bad
By the protocol an index lists sitemaps of its own site only. Engines drop others unless the owner has shown that both
sites are theirs. Where the other host's robots.txt was read and names a sitemap of this host, nothing is reported;
where it was not read, the finding says so.

## Fails
```xml
<!-- https://www.example.com/sitemap-index.xml -->
<sitemap><loc>https://cdn.example.net/sitemap-1.xml</loc></sitemap>
```

## Passes
```xml
<sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2025-06-01</lastmod></sitemap>
```
"""

from urlset.rules.queries import SEVERAL_HOSTS, other_host
from urlset.rules.rule import CheckEffect, CheckStep, SetRule, Severity

RULE = SetRule(
    code="IDX009",
    name="child-other-host",
    severity=Severity.WARNING,
    table="children",
    field="loc",
    only=SEVERAL_HOSTS,
    query=other_host("children", "most are on", "the index is on"),
    message="Index lists a sitemap of another host",
    example="the sitemap is on {value}, but {expected}",
    fix="Serve the sitemap from the host of the index, or name it in robots.txt.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps",
    ),
    check_step=CheckStep.SCOPE,
    check_effect=CheckEffect.WARN,
    checks=("F09",),
)
