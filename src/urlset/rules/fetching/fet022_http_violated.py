"""Checks for responses that violate HTTP although curl and browsers read them: a body that is longer than its
Content-Length, a repeated Content-Length, Content-Length together with `Transfer-Encoding: chunked`, or malformed
headers.

## Why is this bad
urlset read the response as curl and browsers do. Other clients, proxies, and CDNs may cut the file off, or reject the
response; urlset cannot know what each crawler does. A Content-Length that counts characters instead of bytes is too
small as soon as the file has a letter like `ü`.

## Fails
```text
HTTP/1.1 200 OK
Content-Length: 812

… 815 bytes
```

## Passes
```text
HTTP/1.1 200 OK
Content-Length: 815

… 815 bytes
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="FET022",
    name="http-violated",
    severity=Severity.WARNING,
    table="documents",
    needs=("http-problem",),
    field="http_problems",
    value="array_to_string(http_problems, '; ')",
    where="len(http_problems) > 0",
    message="Response violates HTTP",
    example="{value}",
    effect="some crawlers and proxies may cut off or refuse {places:response|responses}",
    fix="Let the web server or framework set Content-Length and Transfer-Encoding.",
    advice="If the program sets Content-Length itself, count the bytes of the encoded body, not its characters.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9112#section-6.3",
        "https://www.rfc-editor.org/rfc/rfc9112#section-5",
    ),
    checks=("A10",),
)
