"""Checks for links in llms.txt to pages that have a Markdown twin.

## Why is this bad
The llms.txt proposal (version 2 of 2026-08-10) says that its links should point to content that is easy to read for
language models, such as the Markdown versions of pages. No search engine promises to read either.

## Fails
```text
# llms.txt; /chairs.md has the text of /chairs
- [Chairs](https://www.example.com/chairs)
```

## Passes
```text
- [Chairs](https://www.example.com/chairs.md)
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LLM006",
    name="llms-txt-link-to-page",
    severity=Severity.HINT,
    table="llms_links",
    field="written",
    where="twin IS NOT NULL AND twin <> target AND status BETWEEN 200 AND 299",
    message="llms.txt links to a page that has a Markdown twin",
    example="{target} has the twin {twin}",
    fix="Link to the Markdown twin.",
    sources=("https://llmstxt.org/",),
    checks=("K06",),
)
