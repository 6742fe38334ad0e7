"""Checks for sitemaps that were fetched from a host that is not public (`localhost`, a private IP address, or a name
such as `staging.example.com`) and that list URLs on the same host. The rule reports each host once, not every document.

## Why is this bad
A site under development lists its own host, which is correct at that stage. Before you publish the sitemap, change its
URLs to those of the public site. LOC014 and LOC015 then report any URL that is still on a private or staging host.

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
    needs=("fetched",),
    query=f"""
        SELECT
            min(document_id) AS document_id,{NOWHERE}, host AS value, count(*) AS documents,
            CASE
                WHEN {PRIVATE_HOST} THEN 'is not publicly reachable' ELSE 'looks like a staging host'
            END AS reason
        FROM documents
        WHERE
            (({PRIVATE_HOST}) OR {STAGING_HOST})
            AND contains(array_to_string(sites, ' ') || ' ', '://' || host || ' ')
        GROUP BY host
    """,
    scope=RuleScope.RUN,
    message="Sitemap and its URLs are on a non-public host",
    example="{value} {reason}; documents that list its URLs: {documents:,}",
    fix="Before you publish the sitemap, build it with the URL of the public site.",
    sources=("urlset",),
    checks=("D12",),
)
