"""Checks for a URL on another host than the sitemap's own. For a sitemap that was not fetched, from a folder for
instance, the host of most entries takes its place.

## Why is this bad
All URLs of a sitemap must be of one host, its own; www.example.com and example.com are two. Engines drop entries of
other hosts unless the other host's robots.txt names this sitemap or both sites are verified by one owner. Where that
robots.txt was read and names a sitemap of this host, nothing is reported; where it was not read, the finding says so.

## Fails
```xml
<!-- https://www.example.com/sitemap.xml -->
<url><loc>https://www.example.com/a</loc></url>
<url><loc>https://shop.example.com/b</loc></url>
```

## Passes
```xml
<!-- https://www.example.com/sitemap.xml -->
<url><loc>https://www.example.com/a</loc></url>
<url><loc>https://www.example.com/b</loc></url>
```
"""

from urlset.rules.queries import SEVERAL_HOSTS, other_host
from urlset.rules.rule import CheckEffect, CheckStep, SetRule, Severity

RULE = SetRule(
    code="LOC007",
    name="url-other-host",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    only=SEVERAL_HOSTS,
    query=other_host("urls", "most entries are on", "the sitemap is on"),
    message="URL is on another host",
    example="loc is on {value}, but {expected}",
    fix="List the URL in a sitemap of its own host, or name this sitemap in that host's robots.txt.",
    sources=(
        "https://www.sitemaps.org/protocol.html#location",
        "https://www.sitemaps.org/protocol.html",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://www.sitemaps.org/protocol.html#sitemaps_cross_submits",
    ),
    check_step=CheckStep.SCOPE,
    check_effect=CheckEffect.WARN,
    checks=("D13",),
)
