"""Checks for audited directories with a sitemap that lists pages which no other sitemap lists, while neither robots.txt
nor a sitemap index names it, and it is at no usual path.

## Why is this bad
Search engines know a sitemap from robots.txt, from an index, or because somebody submitted it. This one may be unknown
to them, and with it the pages that only it lists. urlset cannot see what was submitted.

## Fails
```text
User-agent: *
Disallow:
Sitemap: https://example.com/sitemap.xml
```
with another sitemap in `fr/sitemap.xml`.

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
    message="Neither robots.txt nor an index names a sitemap",
    example="{about}",
    effect="search engines find {places:sitemap only if you submit it|sitemaps only if you submit them}",
    fix="List the sitemap in robots.txt or in a sitemap index, or delete its file.",
    sources=(
        "https://www.sitemaps.org/protocol.html#submit_robots",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    since="0.2.0",
    checks=("A02",),
)
