"""Checks for Markdown twins that robots.txt blocks for a crawler which may request the page.

## Why is this bad
A Markdown twin is the version of a page for agents, without HTML and navigation. It is a convention: the llms.txt
proposal describes it (version 2 of 2026-08-10), and no search engine promises to read it. A crawler that obeys
robots.txt reads the page and not its twin.

## Fails
```http
GET /robots.txt
User-agent: *
Disallow: /*.md$
```

## Passes
```http
GET /robots.txt
User-agent: *
Disallow: /private/
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TWN010",
    name="twin-blocked",
    severity=Severity.INFO,
    table="twins",
    field="twin",
    where="len(blocked_for) > 0 AND (declared_by IS NOT NULL OR words > 0)",
    detail="array_to_string(blocked_for, ', ')",
    message="robots.txt blocks the Markdown twin, but not the page",
    example="{twin} is blocked for {detail}",
    fix="Allow the Markdown files in robots.txt, or remove the links to them.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309",
        "https://llmstxt.org/",
    ),
    checks=("J09",),
)
