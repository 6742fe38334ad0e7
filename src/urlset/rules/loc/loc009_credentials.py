"""Checks for URLs with a user name, or a user name and password, before the host.

## Why is this bad
A sitemap is public, and so is every password in it. RFC 9110 deprecates user names and passwords in http and https
URLs: clients must not send them as part of the requested URL. If the page requires a login, a crawler gets an error.
Reports show `***` in place of the user name and password.

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
    detail="CASE WHEN regexp_matches(loc, '//[^/?#@]*:') THEN 'a user name and password' ELSE 'a user name' END",
    message="URL contains a user name or password",
    example="loc {value} contains {detail}",
    fix="Remove the user name and password from the URL, and change the password.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1",
        "https://www.rfc-editor.org/rfc/rfc9110#section-4.2.4",
    ),
    checks=("D09",),
)
