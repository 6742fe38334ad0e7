"""Checks for pages whose canonical URL is another page of the site that returns an error, redirects, or is marked
noindex. An audit requests canonical URLs of the same origin that no sitemap lists, and checks the pages that it found
by links, too. 401, 402, 403, 407, and 429 do not count as errors, because they may apply to urlset only.

## Why is this bad
The page points search engines to another page, which they cannot index. They may ignore the canonical URL and choose
for themselves, or index neither page.

## Fails
```text
# /chairs
<link rel="canonical" href="https://www.example.com/seats">
# /seats
HTTP/1.1 404 Not Found
```

## Passes
```text
# /chairs
<link rel="canonical" href="https://www.example.com/chairs">
```
"""

from urlset.rules.queries import CANNOT_BE_INDEXED, CANONICALS, REQUESTED, SAME_BUT_SPELLING, problem_of
from urlset.rules.rule import Cause, RuleScope, SetRule, Severity
from urlset.web.indexability import PageReason

CAUSES = f"""
            c.reason = '{PageReason.NOT_FOUND}' AND p.canonical_hash IN (SELECT loc_hash FROM pages)
                AS is_listed_and_missing,
            c.reason = '{PageReason.REDIRECT}' AND {SAME_BUT_SPELLING.format(one="c.url", other="c.final_url")}
                AS is_respelled"""

RULE = SetRule(
    code="PGE014",
    name="page-canonical-broken",
    severity=Severity.ERROR,
    scope=RuleScope.RUN,
    table="pages",
    needs=("other-canonical|other-canonical-unlisted",),
    field="canonical",
    query=f"""
        SELECT DISTINCT
            p.document_id, p.ordinal, p.line, p.col, p.url, p.canonical AS value,
            {problem_of("c")} AS problem, {CAUSES}{CANONICALS}
            AND {CANNOT_BE_INDEXED}
        UNION ALL
        SELECT DISTINCT
            l.document_id, l.ordinal, l.line, l.col, p.url, p.canonical AS value, {problem_of("c")} AS problem,
            {CAUSES}
        FROM crawled AS p
        JOIN linked AS l ON l.page_hash = p.page_hash AND NOT l.is_listed
        JOIN {REQUESTED} AS c ON c.hash = p.canonical_hash
        WHERE p.status BETWEEN 200 AND 299 AND NOT p.canonical_is_self AND p.noindex IS NULL
            AND NOT coalesce(p.canonical_redirects, false) AND coalesce(len(p.hops), 0) = 0 AND {CANNOT_BE_INDEXED}
    """,
    causes=(Cause(code="PGE001", where="is_listed_and_missing"), Cause(code="SIT005", where="is_respelled")),
    message="Page names a canonical URL that cannot be indexed",
    example="{url} has the canonical URL {value}, which {problem}",
    fix="Set the canonical URL to an indexable page.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J08",),
)
