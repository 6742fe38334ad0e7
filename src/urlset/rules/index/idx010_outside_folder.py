"""Checks for sitemap indexes that list a sitemap on the same host that is not in or below the folder of the index. The
rule applies only to indexes that were fetched and that the robots.txt of the site does not list.

## Why is this bad
Google requires the sitemaps of an index to be in the same folder as the index or below it. An index that is listed in
robots.txt may list sitemaps of the whole host.

## Fails
```xml
<!-- https://www.example.com/maps/index.xml -->
<sitemap><loc>https://www.example.com/blog/sitemap.xml</loc></sitemap>
```

## Passes
```xml
<!-- https://www.example.com/index.xml -->
<sitemap><loc>https://www.example.com/blog/sitemap.xml</loc></sitemap>
```
"""

from urlset.rules.queries import outside_folder
from urlset.rules.rule import Cause, SetRule, Severity

RULE = SetRule(
    code="IDX010",
    name="child-outside-folder",
    severity=Severity.WARNING,
    table="children",
    field="loc",
    needs=("in-folder",),
    query=outside_folder("children"),
    message="Child sitemap is outside the index's folder",
    causes=(Cause("SIT009", "TRUE"),),
    example="{value} is not below {folder}",
    effect="search engines may ignore {places:child sitemap|child sitemaps}",
    fix="Move the index to a folder above its sitemaps, preferably the root folder.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps",
        "https://www.sitemaps.org/protocol.html#location",
    ),
    checks=("F10",),
)
