"""Checks for sitemaps in an audited directory that neither robots.txt nor a sitemap index lists, and that are not at a
common location, if they list pages that no other sitemap lists.

## Why is this bad
Search engines find a sitemap through robots.txt, through a sitemap index, or because you submit it. Otherwise, they may
not find the pages that only this sitemap lists. urlset cannot see which sitemaps were submitted.

## Fails
```text
User-agent: *
Disallow:
Sitemap: https://example.com/sitemap.xml
```
if the directory also has the sitemap `fr/sitemap.xml`.

## Passes
```text
User-agent: *
Disallow:
Sitemap: https://example.com/sitemap.xml
Sitemap: https://example.com/fr/sitemap.xml
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="SIT010",
    name="sitemap-not-named",
    severity=Severity.WARNING,
    table="site_faults",
    field="url",
    where="problem = 'unnamed'",
    value="value",
    message="Sitemap is not listed in robots.txt or an index",
    example="{about:whole}",
    effect="search engines find {places:sitemap only if you submit it|sitemaps only if you submit them}",
    fix="List the sitemap in robots.txt or in a sitemap index, or delete the file.",
    sources=(
        "https://www.sitemaps.org/protocol.html#submit_robots",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("A02",),
)
