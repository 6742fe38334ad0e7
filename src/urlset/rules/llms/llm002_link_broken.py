"""Checks for links in llms.txt that lead nowhere: the target is not an http or https URL, returns a client or server
error, or cannot be fetched. 401, 402, 403, 407, and 429 are not reported, because they may apply to this client only.

## Why is this bad
llms.txt is a convention for language models, which no search engine promises to read. A program that does read it
follows these links, and finds nothing.

## Fails
```text
- [Chairs](https://www.example.com/chairs-2019)
```

## Passes
```text
- [Chairs](https://www.example.com/chairs)
```
"""

from urlset.net.status import IS_TO_US
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LLM002",
    name="llms-txt-link-broken",
    severity=Severity.INFO,
    table="llms_links",
    field="written",
    where=f"""
        skipped IS NULL AND (
            target IS NULL OR status IS NULL OR (status >= 400 AND status NOT {IS_TO_US})
        )
    """,
    message="llms.txt links to a URL that does not work",
    example="{written} {detail}",
    detail="""
        CASE
            WHEN target IS NULL THEN 'is not an http or https URL'
            WHEN status IS NULL THEN 'cannot be fetched: ' || coalesce(error, error_kind)
            ELSE 'returns HTTP status ' || status
        END || CASE WHEN page <> target THEN '; the page is ' || page ELSE '' END
    """,
    fix="Correct the URL, or remove the link.",
    sources=("https://llmstxt.org/",),
    checks=("J01",),
)
