"""Checks for a sitemap that was fetched from a host that is not public (localhost, a private address, a name such as
staging.example.com) and that lists URLs on that same host. It is reported once for each host, not for every document.

## Why is this bad
A site under development lists its own host, which is right there. Before the sitemap is published, its URLs have to
change to those of the public site; LOC014 and LOC015 report any of them that is then still private.

## Fails
```xml
<!-- fetched from http://localhost:3000/sitemap.xml -->
<url><loc>http://localhost:3000/about</loc></url>
```

## Passes
```xml
<!-- fetched from http://localhost:3000/sitemap.xml -->
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.private_targets import PRIVATE_HOST, STAGING_HOST
from urlset.rules.queries import NOWHERE
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="LOC024",
    name="target-not-public",
    severity=Severity.INFO,
    table="documents",
    query=f"""
        SELECT
            min(document_id) AS document_id,{NOWHERE}, host AS value, count(*) AS documents,
            CASE
                WHEN {PRIVATE_HOST} THEN 'cannot be reached from outside' ELSE 'looks like a staging host'
            END AS reason
        FROM documents
        WHERE
            (({PRIVATE_HOST}) OR {STAGING_HOST})
            AND contains(replace(replace(array_to_string(sites, ' '), '[', ''), ']', '') || ' ', '://' || host || ' ')
        GROUP BY host
    """,
    scope=RuleScope.RUN,
    message="Target is not public, and neither are its URLs",
    example="{value} {reason}; documents with URLs on it: {documents:,}",
    fix="Build the sitemap with the URL of the public site before you publish it.",
    sources=("urlset",),
    checks=("D12",),
)
