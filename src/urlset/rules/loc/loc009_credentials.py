"""Checks for a loc with a user name, or a name and password, before the host.

## Why is this bad
A sitemap is public, and so is a password in it. Search engines do not send it, and get an error where it is needed.
The value is not shown in the message.

## Fails
```xml
<url><loc>https://editor:secret@www.example.com/about</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC009",
    name="url-credentials",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    traits=("user-info",),
    value="regexp_replace(loc, '//[^/?#]*@', '//…@')",
    detail="CASE WHEN regexp_matches(loc, '//[^/?#@]*:') THEN 'a user name and a password' ELSE 'a user name' END",
    message="URL holds a user name or password",
    example="loc {value} has {detail} before its host",
    fix="Remove the name and password from the URL, and change the password.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1",
        "https://www.rfc-editor.org/rfc/rfc9110#section-4.2.4",
    ),
    checks=("D09",),
)
