"""Checks for pages of an audited directory that no sitemap lists and no page links to, although they are indexable.
LNK003 applies to unlisted pages with links.

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

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK011",
    name="file-not-listed",
    severity=Severity.WARNING,
    table="linked",
    field="url",
    where="""
        NOT is_listed AND NOT is_home AND links = 0 AND is_indexable AND NOT needs_script
    """,
    message="Page of the directory is in no sitemap",
    example="{value} is in no sitemap, and no page links to it",
    fix="List the page, delete its file, or exclude it from indexing with noindex.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "urlset",
    ),
    since="0.2.0",
    checks=("K04",),
)
