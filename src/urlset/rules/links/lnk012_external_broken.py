"""Checks for links to other sites that return an error (4xx or 5xx) or do not respond, with `--external`. 401, 402,
403, 407, and 429 do not count, since they may apply to urlset only. Each URL is requested once, and is one finding,
with one of the pages that link to it.

## Why is this bad
Visitors reach an error page, or a domain that someone else can register.

## Fails
```html
<a href="https://elsewhere.example/moved">Source</a> <!-- returns 404 -->
```

## Passes
```html
<a href="https://elsewhere.example/">Source</a>
```
"""

from urlset.net.status import IS_TO_US
from urlset.rules.queries import ALSO_LINKED
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK012",
    name="external-link-broken",
    severity=Severity.WARNING,
    table="external_links",
    field="url",
    where=f"skipped IS NULL AND (status >= 400 AND status NOT {IS_TO_US} OR status IS NULL)",
    detail=f"""
        concat(CASE WHEN status IS NULL THEN 'returns no response' ELSE 'returns ' || status END, {ALSO_LINKED})
    """,
    message="Link to another site returns an error",
    example="{linked_from} links to {value}, which {detail}",
    effect="visitors get an error at {places:linked URL on another site|linked URLs on other sites}",
    fix="Correct the link, or remove it.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/http-network-errors",),
    checks=("J01",),
)
