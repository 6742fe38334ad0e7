"""Checks for Markdown twins that a page declares, and whose content is HTML.

## Why is this bad
A Markdown twin is the version of a page for agents, without HTML and navigation. It is a convention: the llms.txt
proposal describes it (version 2 of 2026-08-10), and no search engine promises to read it. An agent that asks for
Markdown and gets HTML takes markup for text. Usually the server returns its "not found" page or the page itself with
status 200.

## Fails
```http
GET /chairs.md
HTTP/1.1 200 OK
Content-Type: text/html
```

## Passes
```http
GET /chairs.md
HTTP/1.1 200 OK
Content-Type: text/markdown
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TWN002",
    name="twin-html",
    severity=Severity.WARNING,
    table="twins",
    field="twin",
    value="coalesce(content_type, twin)",
    where="""
        declared_by IS NOT NULL AND status BETWEEN 200 AND 299 AND is_html AND regexp_matches(twin, '#!?/') IS NOT TRUE
    """,
    detail="CASE WHEN lower(content_type) LIKE '%html%' THEN 'is sent as ' || content_type ELSE 'is HTML' END",
    message="Declared Markdown twin is HTML",
    example="{twin} {detail}",
    effect="agents get HTML in place of the Markdown twin of {places:page|pages}",
    fix="Publish the Markdown file at this URL, or remove the link to it.",
    sources=("https://llmstxt.org/",),
    checks=("J14",),
)
