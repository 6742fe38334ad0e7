"""Checks for pages that return Markdown for `Accept: text/markdown` without `Vary: Accept`. Only servers are checked,
with five pages of each run.

## Why is this bad
A response without `Vary: Accept` may be reused for requests with any other Accept header (RFC 9110, section 12.5.5): a
cache in between can show Markdown to browsers and search engines, or HTML to agents.

## Fails
```http
GET /chairs
Accept: text/markdown

HTTP/1.1 200 OK
Content-Type: text/markdown
```

## Passes
```http
HTTP/1.1 200 OK
Content-Type: text/markdown
Vary: Accept
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TWN006",
    name="markdown-without-vary",
    severity=Severity.INFO,
    table="twins",
    field="vary",
    value="coalesce(vary, 'no Vary')",
    where="""
        negotiated_status BETWEEN 200 AND 299 AND regexp_matches(negotiated_type, '^ *text/(x-)?markdown', 'i')
            AND NOT regexp_matches(coalesce(vary, ''), '(^|,)[ \\t]*(accept|[*])[ \\t]*(,|$)', 'i')
    """,
    needs_server=True,
    message="Negotiated Markdown is sent without Vary: Accept",
    example="{url} returns {negotiated_type} for Accept: text/markdown",
    fix="Send `Vary: Accept` with both forms of the page.",
    advice="Some caches ignore Vary. Exclude these pages from them, or let the cache choose the form itself.",
    sources=("https://www.rfc-editor.org/rfc/rfc9110#section-12.5.5",),
    checks=("J02",),
)
