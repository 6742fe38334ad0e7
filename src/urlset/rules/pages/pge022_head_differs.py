"""Checks for a listed page that answers HEAD with another kind of status than GET, or not at all.

## Why is this bad
HEAD is to say what GET would. Tools that look at pages by HEAD, link checkers and uptime monitors among them, report
faults that are none.

## Fails
```text
HEAD /chairs
HTTP/1.1 404 Not Found

GET /chairs
HTTP/1.1 200 OK
```

## Passes
```text
HEAD /chairs
HTTP/1.1 200 OK
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE022",
    name="page-head-differs",
    severity=Severity.INFO,
    table="pages",
    field="head_status",
    value="coalesce(head_status::VARCHAR, 'no answer (' || head_trouble || ')')",
    where="""
        (head_status // 100 <> status // 100 AND head_status NOT IN (405, 501))
            OR (head_trouble IS NOT NULL AND status BETWEEN 200 AND 299 AND trouble IS NULL)
    """,
    message="The page answers HEAD and GET differently",
    example="{url} answers HEAD with {value} and GET with {status}",
    fix="Let the server answer HEAD as it answers GET.",
    sources=("https://www.rfc-editor.org/rfc/rfc9110#name-head",),
    checks=("J18",),
)
