"""Checks for URLs with a parameter that belongs to one person or one visit and has a value: `token`, `access_token`,
`auth`, `jwt`, `session`, `sid`, or `email`. Names are not case-sensitive. The rule checks the query string and the
fragment. LOC010 reports `PHPSESSID` and long session IDs in `sid`; LOC023 reports passwords and keys.

You can change the list with `limits.sensitive-parameters` in the configuration; an empty list turns the rule off.

## Why is this bad
Anyone can read a sitemap, and everything in it ends up in search results, logs, and archives. A token or email address
in a URL is published with it, and whoever follows the link may be signed in as someone else.

## Fails
```xml
<url><loc>https://www.example.com/invite?token=5f2c9a71</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/invite</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.rules.url_parameters import parameter_of

# Removes the session IDs that LOC010 reports.
PARAMETER = parameter_of(
    "sensitive_parameters",
    "regexp_replace(regexp_replace(loc, '(?i)([?&;])phpsessid=', '?'), '(?i)([?&;])sid=[0-9a-f]{16}', '?')",
)

RULE = EntryRule(
    code="LOC022",
    name="url-sensitive-parameter",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    needs=("sensitive",),
    where=f"{PARAMETER} <> ''",
    value=PARAMETER,
    message="URL has a sensitive parameter",
    example="loc has the parameter {value}",
    effect="everyone who reads the sitemap sees the data in {places:URL|URLs}",
    fix="List the URL without the parameter, and revoke published tokens.",
    sources=(
        "https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html"
        "#sensitive-information-in-http-requests",
        "https://developers.google.com/search/docs/crawling-indexing/url-structure",
    ),
    checks=("D10",),
)
