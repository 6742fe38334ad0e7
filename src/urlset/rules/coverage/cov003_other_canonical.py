"""Checks for listed URLs for which Google chose another canonical than the page declares: according to the URL
Inspection API, or to an export of Search Console with the reason "Duplicate, Google chose different canonical than
user" or "Duplicate without user-selected canonical". An export does not say which canonical Google chose; `urlset
coverage inspect` does. URLs that redirect are not reported here.

## Why is this bad
Google considers the listed page to be a duplicate of another one, and shows only the other one in search results.
Either the canonical is right and the sitemap lists the wrong URL, or the two pages are too similar. The choice is
Google's: a canonical link is a hint, and Google may follow it after the next crawl.

## Fails
```json
{"inspectionUrl": "https://example.com/chairs?sort=price",
 "googleCanonical": "https://example.com/chairs",
 "userCanonical": "https://example.com/chairs?sort=price"}
```

## Passes
```json
{"inspectionUrl": "https://example.com/chairs",
 "googleCanonical": "https://example.com/chairs",
 "userCanonical": "https://example.com/chairs"}
```
"""

from urlset.rules.queries import ON_DAY
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="COV003",
    name="other-canonical-chosen",
    severity=Severity.WARNING,
    table="coverage",
    field="url",
    where="""
        engine = 'google' AND is_listed AND (
            reason IN ('duplicate-other-canonical', 'duplicate-without-canonical')
            OR canonical_hash <> page_hash AND canonical_hash <> coalesce(user_canonical_hash, page_hash)
            AND coalesce(reason, '') NOT IN ('redirect', 'redirect-error', 'alternate-canonical')
        )
    """,
    detail=f"concat(CASE WHEN canonical_hash <> page_hash THEN canonical ELSE 'another canonical' END, {ON_DAY})",
    message="Google chose another canonical",
    example="for {value}, Google chose {detail}",
    effect="Google indexes another URL instead of {places:listed page|listed pages}",
    fix="List the canonical instead, or make the pages differ and link to the listed URL consistently.",
    advice=(
        "Signals that contradict each other are the usual cause: redirects, canonical links, internal links, hreflang "
        "links, and the sitemap should all name the same URL. Google decides again after it has crawled both pages."
    ),
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J07",),
)
