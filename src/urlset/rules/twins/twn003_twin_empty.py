"""Checks for Markdown twins without a word: an empty file, or one that has only front matter, comments, or tags.

## Why is this bad
A Markdown twin is the version of a page for agents, without HTML and navigation. It is a convention: the llms.txt
proposal describes it (version 2 of 2026-08-10), and no search engine promises to read it. An agent takes an empty file
for an empty page.

## Fails
```http
GET /chairs.md
HTTP/1.1 200 OK
Content-Type: text/markdown
Content-Length: 0
```

## Passes
```http
GET /chairs.md
HTTP/1.1 200 OK
Content-Type: text/markdown

# Chairs
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TWN003",
    name="twin-empty",
    severity=Severity.WARNING,
    table="twins",
    field="twin",
    where="status BETWEEN 200 AND 299 AND error_kind IS NULL AND words = 0",
    message="Markdown twin has no text",
    example="{twin} has no text",
    effect="agents find no text in the Markdown twin of {places:page|pages}",
    fix="Write the text of the page into the Markdown file.",
    advice="Text that a component renders is not in the source of the page: generate the file from the built HTML.",
    sources=("https://llmstxt.org/",),
    checks=("J12",),
)
