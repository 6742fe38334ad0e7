"""Checks for URLs with a fragment, the part that starts with `#`. In feeds, fragments such as `#comment-12` are not
reported: comment feeds link to comments this way, and it does no harm.

## Why is this bad
A fragment points to a place within a page and is never sent to the server. Google Search generally does not support
fragments, so the entry stands for the page without the fragment, which is usually listed already.

## Fails
```xml
<url><loc>https://www.example.com/about#team</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.queries import NO_FEED, PLACE_OF_LOC, has_trait
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="LOC008",
    name="url-fragment",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    needs=("fragment",),
    query=f"""
        SELECT{PLACE_OF_LOC}, u.loc AS value, regexp_extract(u.loc, '#.*$') AS fragment
        FROM (SELECT * FROM urls WHERE {has_trait(["fragment"])} AND loc_problem IS NULL) AS u
        JOIN documents AS d ON d.document_id = u.document_id
        WHERE {NO_FEED} OR NOT regexp_matches(u.loc, '#comment-[0-9]+$')
    """,
    message="URL has a fragment",
    example="loc {value} has the fragment {fragment}",
    effect=(
        "search engines remove the fragment of {places:URL, which may leave a duplicate|URLs, which may "
        "leave duplicates}"
    ),
    fix="Remove the # and everything after it. Give content that is only reachable through a fragment its own URL.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc3986#section-3.5",
        "https://developers.google.com/search/docs/crawling-indexing/url-structure",
    ),
    checks=("D08",),
)
