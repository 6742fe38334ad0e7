"""Checks for links to pages of the site with noindex. They are often intended, such as links to a login page, so this
is only a note. Links with nofollow do not count. Each target is one finding, with one of the pages that link to it.

## Why is this bad
Search engines crawl the page without indexing it, and after a while no longer follow its links. If the page should be
indexed, the noindex is a mistake.

## Fails
```html
<a href="/chairs">Chairs</a>

<!-- /chairs -->
<meta name="robots" content="noindex">
```

## Passes
```html
<a href="/chairs">Chairs</a>
```
"""

from urlset.rules.queries import ALSO_LINKED
from urlset.rules.rule import Cause, EntryRule, Severity

RULE = EntryRule(
    code="LNK007",
    name="link-noindex",
    severity=Severity.INFO,
    table="linked",
    field="url",
    where="""
        linked_from IS NOT NULL AND followed > 0 AND noindex IS NOT NULL AND redirects_to IS NULL
            AND status BETWEEN 200 AND 299
    """,
    causes=(Cause(code="PGE008", where="is_listed"),),
    detail=f"concat('has noindex', {ALSO_LINKED})",
    message="Link to a page with noindex",
    example="{linked_from} links to {value}, which {detail}",
    fix="Remove noindex if the page should be indexed; otherwise no change is needed.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/block-indexing",),
    checks=("J06",),
)
