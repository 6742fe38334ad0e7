"""Checks for a sitemap of which more than one in a hundred pages that were looked at, of a hundred or more, cannot be
indexed: they answer with an error, redirect, or ask not to be.

## Why is this bad
An engine that meets too many of them trusts the sitemap less. Bing is quoted with a tolerance of one percent; nobody
publishes a number.

## Fails
```text
300 of 1,000 pages answer 404
```

## Passes
```text
2 of 1,000 pages answer 404
```
"""

from urlset.rules.queries import NOWHERE
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="PGE024",
    name="too-many-bad-pages",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="pages",
    query=f"""
        WITH counted AS (
            SELECT
                document_id,
                count(*) AS looked_at,
                count(*) FILTER (
                    status >= 300 AND status NOT IN (401, 403, 407, 429) OR len(hops) > 0 OR noindex IS NOT NULL
                ) AS bad
            FROM pages
            WHERE status IS NOT NULL
            GROUP BY document_id
        )
        SELECT document_id,{NOWHERE}, round(100.0 * bad / looked_at, 1) AS value, bad, looked_at
        FROM counted
        WHERE looked_at >= 100 AND 100 * bad > looked_at
    """,
    message="Too many pages of the sitemap cannot be indexed",
    example="{bad} of {looked_at:page|pages} that were looked at cannot be indexed ({value} %)",
    fix="Remove what cannot be indexed where the sitemap is made, not by hand.",
    sources=(
        "urlset",
        "https://www.bing.com/webmasters/help/sitemaps-3b5cf6ed",
    ),
    checks=("J20",),
)
