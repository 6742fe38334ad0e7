"""LOC014: url-not-public

## What
A loc whose host exists only on one machine or in one network: localhost, a name without a dot, a name in .local,
.internal, .test or .invalid, or a private or loopback address.

## Why
No search engine can reach it. It is usually the address of the machine that built the sitemap.

## Fails
```xml
<url><loc>http://localhost:3000/about</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```

## Fix
Build the sitemap with the public address of the site.

## Sources
- https://www.rfc-editor.org/rfc/rfc1918
- https://www.rfc-editor.org/rfc/rfc6761
- https://www.rfc-editor.org/rfc/rfc6762
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity

RULE = Rule(
    code="LOC014",
    name="url-not-public",
    severity=Severity.ERROR,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.ENTRY,
    table="urls",
    field="loc",
    where="""
        loc_problem IS NULL AND (
            NOT contains(host, '.') AND NOT contains(host, ':')
            OR host LIKE '%.local' OR host LIKE '%.localhost'
            OR host LIKE '%.internal' OR host LIKE '%.test' OR host LIKE '%.invalid'
            OR CASE
                WHEN host < ':'
                THEN regexp_matches(host, '^(0|10|127|169[.]254|192[.]168|172[.](1[6-9]|2[0-9]|3[01]))[.][0-9.]+$')
                ELSE FALSE
            END
            OR host IN ('[::1]', '::1')
        )
    """,
    message="URL cannot be reached from outside",
    example="loc {value} is on a private host",
    fix="Build the sitemap with the public address of the site.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc1918",
        "https://www.rfc-editor.org/rfc/rfc6761",
        "https://www.rfc-editor.org/rfc/rfc6762",
    ),
    checks=("D12",),
)
