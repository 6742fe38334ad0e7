"""Checks for sites without a sitemap: robots.txt lists none that exists, and there is none at a usual location. Nothing
is reported if a server refuses a request or fails, because then it is unknown whether the site has a sitemap.

## Why is this bad
Search engines find pages by links alone: pages without links are not found, and changes are seen later. An audit can
only check the pages that links lead to.

## Fails
```text
dist/index.html
dist/about.html
```

## Passes
```text
dist/index.html
dist/about.html
dist/sitemap.xml
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="SIT001",
    name="no-sitemap",
    severity=Severity.ERROR,
    table="site_faults",
    field="url",
    where="problem = 'no-sitemap'",
    value="value",
    message="Site has no sitemap",
    example="{about:whole}",
    effect="search engines find pages by links alone",
    fix="Create a sitemap with the generator of the site or `urlset build`, and list it in robots.txt.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://www.sitemaps.org/protocol.html#submit_robots",
    ),
    checks=("A01",),
)
