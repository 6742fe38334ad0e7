"""Checks for indexable pages of an audited directory that no sitemap lists and that cannot be reached from the home
page or a listed page: no page links to them, or only pages that cannot be reached either. LNK003 applies to unlisted
pages that can be reached. Nothing is reported for a site without a sitemap (SIT001), nor for
pages of a sitemap that nothing names (SIT010).

## Why is this bad
The page will be published, but search engines have no way to find it. Either the generator of the sitemap leaves it
out, or it is left over from an earlier build and should not be published.

## Fails
```text
dist/index.html
dist/old-offer/index.html
```
```xml
<url><loc>https://example.com/</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/</loc></url>
<url><loc>https://example.com/old-offer/</loc></url>
```
"""

from urlset.rules.queries import OF_UNREAD_SITEMAPS
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK011",
    name="file-not-listed",
    severity=Severity.WARNING,
    table="linked",
    field="url",
    where="""
        NOT is_listed AND listed_as IS NULL AND unnamed_sitemap IS NULL AND page_hash = page AND NOT is_home
            AND coalesce(reached_from, links) = 0 AND is_indexable AND NOT needs_script AND NOT contains(url, '?')
    """,
    causes=OF_UNREAD_SITEMAPS,
    detail="""
        CASE
            WHEN links > 0
                THEN concat(
                    'it cannot be reached from the home page, only from ',
                    coalesce('pages such as ' || linked_from, 'pages that cannot be reached either')
                )
            WHEN basis IS NULL THEN 'no page that was read links to it' ELSE 'no page links to it' END
    """,
    message="Page of the directory is in no sitemap",
    example="{value} is in no sitemap, and {detail}",
    effect="search engines have no way to find {places:page|pages}",
    fix="List the page, delete its file, or exclude it from indexing with noindex.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "urlset",
    ),
    checks=("K04",),
)
