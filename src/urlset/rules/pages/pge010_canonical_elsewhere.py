"""Checks for a listed page whose canonical, as a link element or a Link header, names another page.

## Why is this bad
The page says that another one is to be indexed in its stead, and the sitemap says this one. A sitemap is a signal for
canonicals itself, a weak one, so the two contradict each other.

## Fails
```text
<link rel="canonical" href="https://www.example.com/seats">
```

## Passes
```text
<link rel="canonical" href="https://www.example.com/chairs">
```
"""

from urlset.rules.queries import CANNOT_BE_INDEXED, CANONICALS
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="PGE010",
    name="page-canonical-elsewhere",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="pages",
    field="canonical",
    query=f"""
        SELECT p.document_id, p.ordinal, p.line, p.col, p.url, p.canonical AS value{CANONICALS}
            AND p.noindex IS NULL
            AND coalesce(len(p.hops), 0) = 0
            -- A canonical that cannot be indexed itself is PGE014.
            AND NOT coalesce({CANNOT_BE_INDEXED}, false)
    """,
    message="The canonical of the page is another page",
    example="{url} names {value} as its canonical",
    fix="List the canonical page instead, or let this page name itself.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J07",),
)
