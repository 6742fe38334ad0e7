"""Checks for pages that the site links to and that no sitemap lists, although they are indexable: a status of 2xx,
HTML, no noindex, and a canonical link to themselves. Such pages are only fetched with `--crawl`, and in an audit of a
directory, where a page needs no canonical link: every file is a page of its own. Nothing is reported for a site without
a sitemap (SIT001), nor for pages of a sitemap that nothing names (SIT010).

## Why is this bad
Search engines find the page later than those in the sitemap, and see changes later. The generator of the sitemap
probably leaves out a part of the site.

## Fails
```html
<!-- https://example.com/ -->
<a href="/chairs">Chairs</a>

<!-- https://example.com/chairs, which no sitemap lists -->
<link rel="canonical" href="https://example.com/chairs">
```

## Passes
```xml
<url><loc>https://example.com/chairs</loc></url>
```
"""

from urlset.rules.queries import OF_UNLISTED
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK003",
    name="linked-not-listed",
    severity=Severity.WARNING,
    table="linked",
    field="url",
    where="""
        NOT is_listed AND listed_as IS NULL AND unnamed_sitemap IS NULL AND page_hash = page
            AND coalesce(reached_from, links) > 0 AND is_indexable AND NOT needs_script
            AND (canonical_is_self OR (basis = 'directory' AND canonical_is_self IS NULL AND NOT contains(url, '?')))
    """,
    causes=OF_UNLISTED,
    detail="concat(links, CASE links WHEN 1 THEN ' page' ELSE ' pages' END, ', such as ' || linked_from)",
    message="Linked page is in no sitemap",
    example="{value} is in no sitemap; linked from {detail}",
    effect="search engines find {places:page|pages} later than listed ones, and see changes later",
    fix="List the page, or exclude it from indexing with noindex.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "urlset",
    ),
    checks=("K04",),
)
