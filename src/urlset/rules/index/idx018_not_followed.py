"""Checks for sitemaps that an index lists and that were not read, since a bound of the run was reached: on the depth,
on the documents or on the bytes.

## Why is this bad
No rule has judged them, and numbers about the site leave them out. A chain of indexes that never ends is cut in this
way.

## Fails
```text
urlset validate --expand --max-documents 100 https://www.example.com/index-of-50000.xml
```

## Passes
```text
urlset validate --expand https://www.example.com/index-of-50000.xml
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="IDX018",
    name="not-followed",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="children",
    field="loc",
    only="TRUE",
    only_of="cuts",
    query="""
        SELECT
            document_id, ordinal, line, col, url, "count" AS sitemaps,
            CASE kind WHEN 'depth-limit' THEN 'depth' WHEN 'document-limit' THEN 'documents' ELSE 'bytes' END AS value
        FROM cuts
        WHERE kind IN ('depth-limit', 'document-limit', 'byte-limit')
    """,
    message="Sitemaps were not read, since a bound was reached",
    example="{sitemaps} from {url} on: the bound on {value} was reached",
    fix="Raise the bound if the site is meant to be that large; otherwise check what the index lists.",
    sources=(
        "urlset",
        "https://cwe.mitre.org/data/definitions/770.html",
    ),
    checks=("F04",),
)
