"""Checks for URLs that a search engine reports as indexed and that no sitemap lists. The rule applies only if the run
has all sitemaps of the site: all of them were read, no limit was reached, and they were found through robots.txt, an
index, or their usual name. URLs on hosts without a listed URL are not checked.

## Why is this bad
If the page is meant to be found, search engines learn of its changes later than of those of listed pages, and the
generator of the sitemap probably omits similar pages, too. If it is not, the page should be removed or redirected:
sitemaps do not remove anything from an index.

## Fails
The only sitemap of the site:

```xml
<url><loc>https://example.com/</loc></url>
```

An export of the indexed pages:

```text
URL,Last crawled
https://example.com/old-chairs,2026-10-30
```

## Passes
```xml
<url><loc>https://example.com/</loc></url>
<url><loc>https://example.com/old-chairs</loc></url>
```
"""

from urlset.rules.queries import ENGINE_NAME, ON_DAY
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="COV005",
    name="indexed-not-listed",
    severity=Severity.INFO,
    table="coverage",
    field="url",
    where="""
        is_indexed AND NOT is_listed
    """,
    detail=f"concat({ENGINE_NAME}, {ON_DAY})",
    message="Indexed URL is in no sitemap",
    example="{value} is in no sitemap, but indexed by {detail}",
    fix="List the page, or redirect, remove, or noindex it if it should not be found.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "urlset",
    ),
    checks=("K04",),
)
