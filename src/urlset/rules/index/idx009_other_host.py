"""Checks for sitemap indexes that list a sitemap on a different host than the index. If the index was not fetched, for
example because it is a local file, the rule compares with the host of most of its sitemaps.

## Why is this bad
Under the protocol, an index may only list sitemaps on its own site. Search engines drop the others unless the owner has
proven control of both sites, for example through robots.txt (cross-submission). The rule reports nothing if the
robots.txt of the other host was read and lists a sitemap on the host of the index. If that robots.txt was not read, the
finding says so.

## Fails
```xml
<!-- https://www.example.com/sitemap-index.xml -->
<sitemap><loc>https://cdn.example.net/sitemap-1.xml</loc></sitemap>
```

## Passes
```xml
<!-- https://www.example.com/sitemap-index.xml -->
<sitemap><loc>https://www.example.com/sitemap-1.xml</loc></sitemap>
```
"""

from urlset.rules.queries import OF_SITE, other_host
from urlset.rules.rule import CheckEffect, CheckStep, SetRule, Severity

RULE = SetRule(
    code="IDX009",
    name="child-other-host",
    severity=Severity.WARNING,
    table="children",
    field="loc",
    needs=("other-site",),
    query=other_host("children", "most sitemaps are on", "the index is on"),
    message="Child sitemap is on a different host than the index",
    causes=OF_SITE,
    example="the sitemap is on {value}, but {expected}",
    effect="search engines ignore {places:child sitemap|child sitemaps}, unless the other host allows it",
    fix="Serve the sitemap from the host of the index, or list the index in the robots.txt of the sitemap's host.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps",
    ),
    check_step=CheckStep.SCOPE,
    check_effect=CheckEffect.WARN,
    checks=("F09",),
)
