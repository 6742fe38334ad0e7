"""Checks for a sitemap whose answer is no HTTP, or whose body is not in the Content-Encoding that its header says.

## Why is this bad
Engines cannot read it. A body that is compressed twice, or said to be compressed and is not, is a common mistake of
caches and of scripts that pack files themselves.

## Fails
```text
Content-Encoding: gzip
… and a body that is no gzip
```

## Passes
```text
Content-Encoding: gzip
… and a body in gzip
```
"""

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET014",
    name="answer-unreadable",
    severity=Severity.ERROR,
    **listed("trouble IN ('bad-answer', 'bad-encoding')"),
    message="The answer cannot be read",
    example="{url}: {value}",
    fix="Compress in one place only: in the server, or in the program that writes the file.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9110#section-8.4",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("A10",),
)
