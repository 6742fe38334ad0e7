"""Checks for listed pages whose response violates HTTP although curl and browsers read it: a body that is longer than
its Content-Length, a repeated Content-Length, Content-Length together with `Transfer-Encoding: chunked`, or malformed
headers. The response to a redirect counts as well.

## Why is this bad
urlset read the response as curl and browsers do. Other clients, proxies, and CDNs may cut the page off, or reject the
response; urlset cannot know what each crawler does.

## Fails
```text
GET /chairs
HTTP/1.1 200 OK
Content-Length: 5120

… 5133 bytes
```

## Passes
```text
GET /chairs
HTTP/1.1 200 OK
Content-Length: 5133

… 5133 bytes
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE029",
    name="page-http-violated",
    severity=Severity.WARNING,
    table="pages",
    field="http_problems",
    value="array_to_string(http_problems, '; ')",
    where="len(http_problems) > 0",
    message="Response to the page violates HTTP",
    example="{url}: {value}",
    fix="Let the web server or framework set Content-Length and Transfer-Encoding.",
    advice="If the program sets Content-Length itself, count the bytes of the encoded body, not its characters.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9112#section-6.3",
        "https://www.rfc-editor.org/rfc/rfc9112#section-5",
    ),
    checks=("J02",),
)
