"""Checks for sitemaps that Google does not name for any of the listed URLs that were inspected with the URL Inspection
API, although it has crawled them. At least five inspected URLs are required, and the sitemap must have been fetched. A
sitemap counts as named if Google names an index that lists it.

## Why is this bad
Google has probably not read the sitemap, and found the URLs through links. New URLs and changes are then found late,
and the Sitemaps report of Search Console shows nothing for the file. Google does not promise that the list is complete,
so check there before you change anything.

## Fails
The sitemap https://example.com/sitemap.xml lists the page, and this is the result for all of its inspected URLs:

```json
{"inspectionUrl": "https://example.com/chairs", "sitemap": ["https://example.com/old-sitemap.xml"]}
```

## Passes
```json
{"inspectionUrl": "https://example.com/chairs", "sitemap": ["https://example.com/sitemap.xml"]}
```
"""

from urlset.rules.queries import NOWHERE
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="COV007",
    name="sitemap-unknown-to-google",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="coverage",
    needs=("coverage",),
    query=f"""
        WITH counted AS (
            SELECT
                document_id, count(*) AS inspected, count(*) FILTER (WHERE is_in_sitemaps) AS named
            FROM coverage
            WHERE engine = 'google' AND is_listed AND is_in_sitemaps IS NOT NULL AND last_crawled IS NOT NULL
            GROUP BY document_id
        )
        SELECT document_id,{NOWHERE}, inspected AS value
        FROM counted
        WHERE inspected >= 5 AND named = 0
    """,
    message="Google names other sitemaps for the listed URLs",
    example="Google names this sitemap for none of {value:inspected URL|inspected URLs}",
    effect="Google does not use {places:sitemap|sitemaps}",
    fix="Submit the sitemap in Search Console, or list it in robots.txt or in a submitted index.",
    advice="The Sitemaps report of Search Console shows when Google last read the sitemap, and with which errors.",
    sources=(
        "https://developers.google.com/webmaster-tools/v1/urlInspection.index/UrlInspectionResult",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("F18",),
)
