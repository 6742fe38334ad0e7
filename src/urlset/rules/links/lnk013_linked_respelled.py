"""Checks for listed pages to which the pages of the site link under another spelling: with or without the final slash,
file extension, index file, `www.`, or https. Only pages that the host serves under both URLs without a redirect, and
without a canonical link, have this problem; PGE005 covers listed URLs that redirect.

## Why is this bad
Nothing says which of the two URLs is the page. Links and the sitemap name different ones, and search engines choose for
themselves.

## Fails
```html
<a href="/blog/">Blog</a>
```
```xml
<url><loc>https://example.com/blog/index.html</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/blog/</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK013",
    name="linked-respelled",
    severity=Severity.WARNING,
    table="linked",
    field="url",
    where="is_listed AND linked_as IS NOT NULL AND redirects_to IS NULL AND canonical_is_self IS NULL",
    message="Page is listed under another spelling than the one linked",
    example="{value} is linked as {linked_as}, which is the same page",
    effect="search engines choose between two URLs for {places:page|pages}",
    fix="List the URL that the links use, and set it as the canonical URL of the page.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        "urlset",
    ),
    checks=("K04",),
)
