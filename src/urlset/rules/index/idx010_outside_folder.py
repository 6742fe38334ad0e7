"""Checks for a fetched index, not named in robots.txt, that lists a sitemap which is not in the index's folder or below
it.

## Why is this bad
Google wants the sitemaps of an index in its folder or below. An index that robots.txt names speaks for the whole
host.

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

from urlset.rules.queries import BELOW_A_FOLDER, outside_folder
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="IDX010",
    name="child-outside-folder",
    severity=Severity.WARNING,
    table="children",
    field="loc",
    only=BELOW_A_FOLDER,
    query=outside_folder("children"),
    message="Index lists a sitemap outside its folder",
    example="{value} is not below {folder}",
    fix="Put the index into a folder above its sitemaps, best into the root.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps",
        "https://www.sitemaps.org/protocol.html#location",
    ),
    checks=("F10",),
)
