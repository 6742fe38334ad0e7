"""Checks for listed pages to which all links have `rel="nofollow"`, `ugc`, or `sponsored`, or come from pages whose
robots directives have nofollow.

## Why is this bad
The sitemap asks search engines to index the page, and the links ask them to ignore it. Search engines generally do not
follow such links, so the page is treated like an orphan.

## Fails
```html
<a href="/chairs" rel="nofollow">Chairs</a>
```

## Passes
```html
<a href="/chairs">Chairs</a>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK004",
    name="nofollow-only",
    severity=Severity.WARNING,
    table="linked",
    field="url",
    where="""
        basis IS NOT NULL AND is_listed AND NOT is_home AND links > 0 AND followed = 0
    """,
    message="All links to the page are nofollow",
    detail="concat(', such as on ' || linked_from)",
    example="all links to {value} are nofollow: {links:,}{detail}",
    effect="search engines may not follow any link to {places:page|pages}",
    fix="Remove nofollow from links to the site's own pages.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links",),
    checks=("K03",),
)
