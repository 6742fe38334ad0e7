"""Checks for links with http to pages of a site whose pages are served with https. Each target is one finding, with one
of the pages that link to it.

## Why is this bad
The link leads through an unencrypted request and a redirect. Search engines get two URLs for one page.

## Fails
```html
<!-- https://example.com/ -->
<a href="http://example.com/chairs">Chairs</a>
```

## Passes
```html
<a href="https://example.com/chairs">Chairs</a>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK010",
    name="link-not-https",
    severity=Severity.WARNING,
    table="linked",
    field="url",
    where="""
        starts_with(url, 'http://') AND starts_with(linked_from, 'https://')
    """,
    message="Link with http to a page of an https site",
    example="{linked_from} links to {value}",
    effect="visitors and crawlers need a redirect for {places:linked URL|linked URLs}",
    fix="Link with https, or with a relative URL.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/site-move-with-url-changes",),
    checks=("A17",),
)
