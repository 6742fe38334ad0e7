"""FET014: answer-unreadable

## What
A sitemap whose answer is no HTTP, or whose body is not in the Content-Encoding that its header says.

## Why
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

## Fix
Let one place compress: the server, or the program that writes the file; not both.

## Sources
- https://www.rfc-editor.org/rfc/rfc9110#section-8.4
- https://support.google.com/webmasters/answer/7451001
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
    fix="Let either the server or the file's author compress, not both.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9110#section-8.4",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("A10",),
)
