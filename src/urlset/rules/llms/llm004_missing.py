"""Checks for llms.txt files that pages name with `rel="describedby"`, and that return a client or server error, are
HTML, or cannot be fetched. 401, 402, 403, 407, and 429 are not reported, because they may apply to this client only.

## Why is this bad
The llms.txt proposal (version 2 of 2026-08-10) lets agents find the file of a page with this link instead of guessing
its URL. An agent that follows the link gets nothing.

## Fails
```http
GET /docs/chairs
<link rel="describedby" href="/docs/llms.txt">

GET /docs/llms.txt
HTTP/1.1 404 Not Found
```

## Passes
```http
GET /docs/llms.txt
HTTP/1.1 200 OK
Content-Type: text/plain
```
"""

from urlset.net.status import IS_TO_US
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LLM004",
    name="llms-txt-missing",
    severity=Severity.WARNING,
    table="llms_files",
    field="url",
    where=f"""
        declarations > 0 AND skipped IS NULL
            AND (status IS NULL OR (status >= 400 AND status NOT {IS_TO_US}) OR is_html)
    """,
    detail="""
        CASE WHEN is_html THEN 'is HTML' WHEN status IS NULL THEN 'cannot be fetched: ' || coalesce(error, error_kind)
            ELSE 'returns HTTP status ' || status END
    """,
    message="Pages name an llms.txt that cannot be read",
    example="{url} {detail}; {declared_by} names it",
    effect="agents cannot read {places:llms.txt|llms.txt files}",
    fix="Publish the llms.txt at this URL, or correct the link of the pages.",
    advice="The file may exist if its server did not respond or returned a server error: check it again later.",
    sources=("https://llmstxt.org/",),
    checks=("J01",),
)
