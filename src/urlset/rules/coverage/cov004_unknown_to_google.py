"""Checks for listed URLs that are unknown to Google, according to the URL Inspection API. Only the API reports this: an
export of Search Console has no URLs that Google does not know.

## Why is this bad
Google has not seen the URL anywhere yet, so it has not read the sitemap since the URL was added, or not at all. For a
URL of the last days this is normal. For older ones, check the sitemap in the Sitemaps report of Search Console: it may
not be submitted, or Google may not be able to fetch it.

## Fails
```json
{"inspectionUrl": "https://example.com/chairs", "verdict": "NEUTRAL", "coverageState": "URL is unknown to Google"}
```

## Passes
```json
{"inspectionUrl": "https://example.com/chairs", "verdict": "PASS", "coverageState": "Submitted and indexed"}
```
"""

from urlset.rules.queries import ON_DAY
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="COV004",
    name="unknown-to-google",
    severity=Severity.WARNING,
    table="coverage",
    field="url",
    where="""
        engine = 'google' AND is_listed AND reason = 'unknown-to-engine'
    """,
    detail=f"concat('', {ON_DAY})",
    message="Listed URL is unknown to Google",
    example="Google does not know {value}{detail}",
    effect="Google has not discovered {places:listed URL|listed URLs}",
    fix="Submit the sitemap in Search Console or robots.txt, and check that Google can fetch it.",
    advice=(
        "If the sitemap is submitted and was read after the URL was added, link to the page from pages that Google "
        "crawls often: Google does not promise to crawl every URL of a sitemap."
    ),
    sources=(
        "https://developers.google.com/webmaster-tools/v1/urlInspection.index/UrlInspectionResult",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/overview",
    ),
    checks=("F18",),
)
