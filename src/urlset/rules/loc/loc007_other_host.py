"""Checks for URLs on a different host than the sitemap. If the sitemap was not fetched, for example because it is a
local file, the rule compares with the host of most entries.

## Why is this bad
All URLs in a sitemap must be on the sitemap's own host, and www.example.com and example.com are different hosts. Search
engines drop entries on other hosts unless the robots.txt of the other host lists the sitemap (cross-submission), or one
owner has verified both sites. The rule reports nothing if that robots.txt was read and lists a sitemap on the sitemap's
host. If that robots.txt was not read, the finding says so.

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

from urlset.rules.queries import OF_SITE, other_host
from urlset.rules.rule import CheckEffect, CheckStep, SetRule, Severity

RULE = SetRule(
    code="LOC007",
    name="url-other-host",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    needs=("other-site",),
    query=other_host("urls", "most entries are on", "the sitemap is on"),
    message="URL is on a different host than the sitemap",
    causes=OF_SITE,
    example="loc is on {value}, but {expected}",
    effect="search engines drop {places:URL|URLs}, unless the other host allows this sitemap",
    fix="List the URL in a sitemap on its own host, or list this sitemap in that host's robots.txt.",
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
