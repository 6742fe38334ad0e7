"""Checks for listed pages where HEAD returns a different class of status code than GET (for example 404 and 200), or no
response. Only pages that urlset sent HEAD to are checked: by default those with an extension such as .pdf or .jpg, and
all pages with `--method head`. 405 and 501 for HEAD are accepted.

## Why is this bad
HEAD should return the same status code and headers as GET. Tools that use HEAD, such as link checkers and uptime
monitors, otherwise report errors that do not exist.

## Fails
```text
HEAD /chairs.pdf
HTTP/1.1 404 Not Found

GET /chairs.pdf
HTTP/1.1 200 OK
```

## Passes
```text
HEAD /chairs.pdf
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
    value="coalesce(head_status::VARCHAR, 'no response (' || head_error_kind || ')')",
    where="""
        (head_status // 100 <> status // 100 AND head_status NOT IN (405, 501))
            OR (head_error_kind IS NOT NULL AND status BETWEEN 200 AND 299 AND error_kind IS NULL)
    """,
    message="HEAD and GET responses differ",
    example="{url} returns {status} for GET, but {value} for HEAD",
    fix="Make the server respond to HEAD as it does to GET.",
    sources=("https://www.rfc-editor.org/rfc/rfc9110#name-head",),
    checks=("J18",),
)
