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

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="LLM001",
    name="llms-txt-form",
    severity=Severity.INFO,
    table="llms_problems",
    needs=("llms_problems",),
    field="problem",
    query="""
        SELECT
            document_id, min(ordinal) AS ordinal, min_by(line, ordinal) AS line, min_by(col, ordinal) AS col, url,
            min_by(evidence, ordinal) AS value,
            min(about) || CASE WHEN count(*) > 1 THEN ' (on ' || count(*) || ' lines)' ELSE '' END
                || coalesce(': ' || nullif(min_by(evidence, ordinal), ''), '') AS problem
        FROM llms_problems
        WHERE problem IS NOT NULL
        GROUP BY document_id, url, problem
    """,
    scope=RuleScope.RUN,
    message="llms.txt does not have the form of its convention",
    example="{problem}",
    fix="Begin llms.txt with a single title, and list links below second-level headings.",
    sources=("https://llmstxt.org/",),
    checks=("G01",),
)
