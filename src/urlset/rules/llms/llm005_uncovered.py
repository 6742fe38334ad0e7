"""Checks for pages that name an llms.txt with `rel="describedby"` although they are not under its path.

## Why is this bad
In the llms.txt proposal (version 2 of 2026-08-10), a file covers the URLs under its path: `/docs/llms.txt` is about
`/docs/` alone. An agent that follows the link of another page gets an overview of something else.

## Fails
```http
GET /blog/news
<link rel="describedby" href="/docs/llms.txt">
```

## Passes
```http
GET /docs/chairs
<link rel="describedby" href="/docs/llms.txt">
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LLM005",
    name="llms-txt-of-other-path",
    severity=Severity.INFO,
    table="llms_files",
    field="url",
    where="uncovered > 0 AND status BETWEEN 200 AND 299 AND NOT is_html",
    message="Pages name the llms.txt of another path",
    example="{url} does not cover {uncovered_page} ({uncovered:,} of "
    "{declarations:page that names|pages that name} it)",
    fix="Name the llms.txt of a folder that contains the page, such as that of the root.",
    sources=("https://llmstxt.org/",),
    checks=("G01",),
)
