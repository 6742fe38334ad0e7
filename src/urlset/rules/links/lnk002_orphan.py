"""Checks for listed pages that cannot be reached by links: in a crawl from the home page and all listed pages, no page
links to them, or, in an audited directory, only pages that cannot be reached either. If the crawl stopped early, for
example at `crawl-depth`, it cannot tell, and LNK001 applies instead.

## Why is this bad
Visitors cannot reach an orphan page, and search engines only know it from the sitemap, so they crawl it rarely and
rank it low. Often it is left over from an earlier version of the site.

## Fails
```html
<!-- every page of https://example.com/ -->
<a href="/tables">Tables</a>
```
```xml
<url><loc>https://example.com/chairs</loc></url>
```

## Passes
```html
<a href="/chairs">Chairs</a>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK002",
    name="orphan-page",
    severity=Severity.WARNING,
    table="linked",
    field="url",
    where="""
        basis IN ('crawl', 'directory') AND is_listed AND NOT is_home AND coalesce(reached_from, links) = 0
            AND is_indexable
    """,
    detail="""
        CASE WHEN links = 0 THEN 'no page links to it'
            ELSE concat('only pages that cannot be reached either link to it', ', such as ' || linked_from) END
    """,
    message="Page cannot be reached from the home page (orphan)",
    example="{value}: {detail}",
    effect=(
        "visitors do not find {places:page, and search engines rarely crawl it and rank it low|pages, and "
        "search engines rarely crawl them and rank them low}"
    ),
    fix="Link to the page from a menu or a page on the same topic, or remove it from the sitemap.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        "urlset",
    ),
    checks=("K03",),
)
