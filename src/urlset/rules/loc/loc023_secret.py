"""Checks for URLs with a parameter that holds a password or a key and has a value: `password`, `passwd`, `api_key`,
`apikey`, or `secret`. Names are not case-sensitive. The rule checks the query string and the fragment.

You can change the list with `limits.secret-parameters` in the configuration; an empty list turns the rule off.

## Why is this bad
Anyone can read a sitemap, and everything in it ends up in search results, logs, and archives. A password or key in a
URL is published with it, and anyone can use it until you change it.

## Fails
```xml
<url><loc>https://www.example.com/report?api_key=9b1deb4d3b7d</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/report</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.rules.url_parameters import parameter_of

PARAMETER = parameter_of("secret_parameters")

RULE = EntryRule(
    code="LOC023",
    name="url-secret-parameter",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    needs=("sensitive",),
    where=f"{PARAMETER} <> ''",
    value=PARAMETER,
    message="URL has a secret in a parameter",
    example="loc has the parameter {value}",
    fix="Change the password or key, and list the URL without the parameter.",
    sources=(
        "https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html"
        "#sensitive-information-in-http-requests",
    ),
    checks=("D10",),
)
