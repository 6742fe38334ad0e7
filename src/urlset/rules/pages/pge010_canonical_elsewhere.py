"""Checks for listed pages whose canonical URL, in a link element or a `Link` header, is another page.

## Why is this bad
The page asks search engines to index another page in its place, and the sitemap asks them to index this one. A sitemap
is itself a canonical signal, though a weak one, so the two contradict each other.

## Fails
```text
<link rel="canonical" href="https://www.example.com/seats">
```

## Passes
```text
<link rel="canonical" href="https://www.example.com/chairs">
```
"""

from urlset.rules.queries import CANNOT_BE_INDEXED, CANONICALS, NAMES_PREVIEW, OF_REDIRECTS
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="PGE010",
    name="page-canonical-elsewhere",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="pages",
    needs=("other-canonical",),
    field="canonical",
    query=f"""
        SELECT DISTINCT
            p.document_id, p.ordinal, p.line, p.col, p.url, p.canonical AS value, p.reason, p.hops{CANONICALS}
            AND p.noindex IS NULL
            AND coalesce(len(p.hops), 0) = 0
            AND NOT coalesce(p.canonical_spelling_hash = p.final_spelling_hash, false)
            AND NOT coalesce({NAMES_PREVIEW}, false)  -- PGE038
            -- PGE014 covers canonical pages that are not indexable.
            AND NOT coalesce({CANNOT_BE_INDEXED}, false)
    """,
    causes=OF_REDIRECTS,
    message="Page names another page as the one to index (canonical)",
    example="{url} has the canonical URL {value}",
    effect="search engines index the canonical page instead of {places:listed page|listed pages}",
    fix="List the canonical page instead, or make the page its own canonical.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J07",),
)
