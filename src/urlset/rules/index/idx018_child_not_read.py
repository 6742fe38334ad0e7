"""Checks for child sitemaps that were not read because the run reached its limit on index depth, documents, or bytes.

## Why is this bad
No rule has checked these sitemaps, and the numbers about the site do not include them. The limits protect against
endless chains of indexes.

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
    name="child-not-read",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="children",
    field="loc",
    needs=("cuts",),
    query="""
        SELECT
            document_id, ordinal, line, col, url, "count" AS sitemaps,
            CASE kind WHEN 'depth-limit' THEN 'depth' WHEN 'document-limit' THEN 'documents' ELSE 'bytes' END AS value
        FROM cuts
        WHERE kind IN ('depth-limit', 'document-limit', 'byte-limit')
    """,
    message="Child sitemaps were not read because of a limit",
    example="sitemaps not read: {sitemaps:,}, starting with {url}; limit reached: {value}",
    effect="what {places:index lists|indexes list} beyond the limit was not checked",
    fix="Raise the limit if the site is meant to be that large. Otherwise, check what the index lists.",
    sources=(
        "urlset",
        "https://cwe.mitre.org/data/definitions/770.html",
    ),
    checks=("F04",),
)
