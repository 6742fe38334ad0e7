"""Checks for a URL that is not in the folder of the sitemap or below it. Only for sitemaps that were fetched and that
no robots.txt names.

## Why is this bad
By the protocol a sitemap at /blog/sitemap.xml speaks for URLs below /blog/ alone. A sitemap that robots.txt names, or
that was submitted to an engine by the owner of the site, speaks for the whole host: then the finding does not apply.

## Fails
```xml
<!-- https://www.example.com/blog/sitemap.xml -->
<url><loc>https://www.example.com/about</loc></url>
```

## Passes
```xml
<!-- https://www.example.com/sitemap.xml -->
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.queries import BELOW_A_FOLDER, outside_folder
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="LOC020",
    name="url-outside-folder",
    severity=Severity.INFO,
    table="urls",
    field="loc",
    only=BELOW_A_FOLDER,
    query=outside_folder("urls"),
    message="URL is outside the folder of the sitemap",
    example="{value} is not below {folder}",
    fix="Put the sitemap into the root folder of the site, or name it in robots.txt.",
    sources=(
        "https://www.sitemaps.org/protocol.html#location",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("D16",),
)
