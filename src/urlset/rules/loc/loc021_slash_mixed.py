"""Checks for documents that list URLs both with and without a trailing slash: at least five of each, and at least a
tenth of the URLs in the smaller group. The home page and paths that contain a dot are not counted.

## Why is this bad
A site that serves its pages one way usually redirects the other. If both are intended, there is nothing to fix.

## Fails
```xml
<!-- five of each -->
<url><loc>https://www.example.com/about/</loc></url>
<url><loc>https://www.example.com/team</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about/</loc></url>
<url><loc>https://www.example.com/team/</loc></url>
```
"""

from urlset.rules.queries import NOWHERE
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="LOC021",
    name="trailing-slash-mixed",
    severity=Severity.HINT,
    table="documents",
    needs=("often-mixed-slashes",),
    query=f"""
        SELECT document_id,{NOWHERE}, slashed AS value, entries - slashed AS others
        FROM (
            SELECT document_id, count(*) AS entries, count(*) FILTER (WHERE path LIKE '%/') AS slashed
            FROM urls
            WHERE loc_problem IS NULL AND path NOT IN ('', '/') AND NOT contains(path, '.')
            GROUP BY document_id
        ) AS counted
        WHERE least(slashed, entries - slashed) >= 5 AND 10 * least(slashed, entries - slashed) >= entries
    """,
    message="Trailing slashes are inconsistent",
    example="{value} with a trailing slash, {others} without",
    fix="Check that each URL is listed the way its page is served, without a redirect.",
    sources=(
        "urlset",
        "https://developers.google.com/search/blog/2010/04/to-slash-or-not-to-slash",
    ),
    checks=("D19",),
)
