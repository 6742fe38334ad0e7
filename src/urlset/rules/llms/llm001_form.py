"""Checks for llms.txt files that do not have the form of the convention: one first-level heading at the beginning, and
second-level headings with lists of links. A site without llms.txt is not reported.

## Why is this bad
llms.txt is a convention for language models, which no search engine promises to read. A program that reads it takes the
title and the lists from these headings, and may ignore the rest.

## Fails
```text
Chairs and tables
- https://www.example.com/chairs
```

## Passes
```text
  # Example Furniture

  ## Products
  - [Chairs](https://www.example.com/chairs): all chairs with sizes
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LLM001",
    name="llms-txt-form",
    severity=Severity.INFO,
    table="llms_problems",
    field="problem",
    where="problem IS NOT NULL",
    value="evidence",
    message="llms.txt does not have the form of its convention",
    example="{detail}",
    detail="about || coalesce(': ' || nullif(evidence, ''), '')",
    fix="Begin llms.txt with a single title, and list links below second-level headings.",
    sources=("https://llmstxt.org/",),
    since="0.2.0",
    checks=("G01",),
)
