"""Checks for a document in which a tenth or more of the pages, and at least five, end in a slash while others do not.
Paths whose last part has a dot are left out, and so is the home page.

## Why is this bad
A site that is served by one way usually redirects the other. When both are meant, there is nothing to do.

## Fails
```xml
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
    only="least(loc_slashes, entries - loc_slashes) >= 5",
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
    message="Some URLs end in a slash and some do not",
    example="{value:URL ends|URLs end} in a slash, {others:does|do} not",
    fix="Check that the listed address is the one that the page is served at.",
    sources=(
        "urlset",
        "https://developers.google.com/search/blog/2010/04/to-slash-or-not-to-slash",
    ),
    checks=("D19",),
)
