"""Checks for Markdown twins that a page declares, and that return a client or server error or cannot be fetched. 401,
402, 403, 407, and 429 are not reported, because they may apply to this client only.

## Why is this bad
A Markdown twin is the version of a page for agents, without HTML and navigation. It is a convention: the llms.txt
proposal describes it (version 2 of 2026-08-10), and no search engine promises to read it. An agent that follows the
link gets nothing.

## Fails
```http
GET /chairs
<link rel="alternate" type="text/markdown" href="/chairs.md">

GET /chairs.md
HTTP/1.1 404 Not Found
```

## Passes
```http
GET /chairs.md
HTTP/1.1 200 OK
Content-Type: text/markdown
```
"""

from urlset.net.status import IS_TO_US
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TWN001",
    name="twin-missing",
    severity=Severity.WARNING,
    table="twins",
    field="twin",
    where=f"""
        declared_by IS NOT NULL AND skipped IS NULL AND regexp_matches(twin, '#!?/') IS NOT TRUE
            AND (status IS NULL OR (status >= 400 AND status NOT {IS_TO_US}))
    """,
    detail="CASE WHEN status IS NULL THEN 'cannot be fetched: ' || coalesce(error, error_kind) "
    "ELSE 'returns HTTP status ' || status END",
    message="Declared Markdown twin cannot be fetched",
    example="{twin} {detail}",
    effect="agents cannot read the Markdown twin of {places:page|pages}",
    fix="Publish the Markdown file, or remove the link to it.",
    advice="The file may exist if its server did not respond or returned a server error: check it again later.",
    sources=("https://llmstxt.org/",),
    checks=("J01",),
)
