"""Checks for links to pages of the site that robots.txt blocks for urlset. They are often intended, such as links to a
search or a cart, so this is only a note. Links with nofollow do not count.

## Why is this bad
Search engines cannot read the page. They may still index its URL, without its content.

## Fails
```text
Disallow: /chairs
```
```html
<a href="/chairs">Chairs</a>
```

## Passes
```text
Disallow: /cart
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK008",
    name="link-blocked",
    severity=Severity.INFO,
    table="linked",
    field="url",
    where="""
        linked_from IS NOT NULL AND followed > 0 AND skipped = 'robots'
    """,
    message="Link to a page that robots.txt blocks",
    example="{linked_from} links to {value}, which robots.txt blocks",
    fix="Allow the page in robots.txt if it should be indexed; otherwise no change is needed.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/robots/intro",),
    checks=("J09",),
)
