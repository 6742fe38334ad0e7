"""Checks for a scheme or host written with capital letters.

## Why is this bad
They mean the same in lower case, and engines write them so. What compares addresses letter by letter, a list of pages
for instance, takes them for two.

## Fails
```xml
<url><loc>https://WWW.Example.com/about</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC012",
    name="url-host-case",
    severity=Severity.INFO,
    table="urls",
    field="loc",
    traits=("upper-case",),
    detail="regexp_replace(regexp_extract(loc, '^[^/?#]*//[^/?#]*'), '//[^/]*@', '//')",
    message="Scheme or host has capital letters",
    example="loc begins with {detail}",
    fix="Write scheme and host in lower case.",
    sources=("https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.1",),
    checks=("D11",),
)
