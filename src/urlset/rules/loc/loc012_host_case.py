"""Checks for uppercase letters in the scheme or host.

## Why is this bad
Scheme and host are not case-sensitive, and search engines convert them to lowercase. Tools that compare URLs character
by character, for example with a list of pages, treat the two spellings as different URLs.

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
    severity=Severity.HINT,
    table="urls",
    field="loc",
    traits=("upper-case",),
    detail="regexp_replace(regexp_extract(loc, '^[^/?#]*//[^/?#]*'), '//[^/]*@', '//')",
    message="Scheme or host has uppercase letters",
    example="loc starts with {detail}",
    fix="Write the scheme and host in lowercase.",
    sources=("https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.1",),
    checks=("D11",),
)
