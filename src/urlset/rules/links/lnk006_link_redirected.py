"""Checks for links to pages of the site that redirect. Each target is one finding, with one of the pages that link to
it.

## Why is this bad
Each visit takes one request more, and search engines may take the URL that redirects for the one that the site prefers.

## Fails
```html
<a href="/old-chairs">Chairs</a> <!-- redirects to /chairs -->
```

## Passes
```html
<a href="/chairs">Chairs</a>
```
"""

from urlset.rules.queries import SAME_BUT_SPELLING
from urlset.rules.rule import Cause, EntryRule, Severity

RULE = EntryRule(
    code="LNK006",
    name="link-redirected",
    severity=Severity.INFO,
    table="linked",
    field="url",
    where="""
        linked_from IS NOT NULL AND skipped IS NULL AND redirects_to IS NOT NULL AND status < 400
    """,
    message="Link to a page that redirects",
    causes=(Cause("SIT005", SAME_BUT_SPELLING.format(one="url", other="redirects_to")),),
    example="{linked_from} links to {value}, which redirects to {redirects_to}",
    fix="Link to the target of the redirect.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/301-redirects",),
    needs_server=True,
    checks=("J04",),
)
