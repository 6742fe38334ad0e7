"""Checks for URLs that the configuration requires (`required-urls`) and that no document of the run lists. A
spelling that [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2) calls equal counts as listed, but a final
slash makes a different URL. The rule runs only if URLs are required.

## Why is this bad
The home page, the pages that earn money, and the landing page of each language must not drop out of the sitemap when
its generator changes. The sitemap itself does not show that they are missing.

## Fails
```toml
required-urls = ["https://example.com/", "https://example.com/prices"]
```
```xml
<url><loc>https://example.com/</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/</loc></url>
<url><loc>https://example.com/prices</loc></url>
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="COV001",
    name="required-url-missing",
    severity=Severity.ERROR,
    table="documents",
    # No document is more at fault than another, so the finding goes to the first.
    query="""
        SELECT
            d.document_id, CAST(NULL AS INTEGER) AS ordinal, CAST(NULL AS INTEGER) AS line,
            CAST(NULL AS INTEGER) AS col, r.url AS url, r.url AS value
        FROM required_urls AS r
        JOIN (SELECT min(document_id) AS document_id FROM documents) AS d ON d.document_id IS NOT NULL
        LEFT JOIN (SELECT DISTINCT loc_hash FROM urls) AS u ON u.loc_hash = r.url_hash
        WHERE u.loc_hash IS NULL
    """,
    message="Required URL is not in any document",
    example="not in any document: {value}",
    fix="List the URL, or remove it from required-urls if the page no longer exists.",
    advice=(
        "Find out why the generator omits the page: a filter, a noindex, or a changed URL. A required URL "
        "may be in any document of the run, so check all sitemaps of the site in one run."
    ),
    sources=("urlset",),
    scope=RuleScope.RUN,
    requires=("required_urls",),
    checks=("K06",),
)
