"""Checks for listed pages that redirect once, to a page that exists.

## Why is this bad
A sitemap should list the final URLs of pages. Search engines index the target of the redirect, so fetching the listed
URL is an unnecessary request.

## Fails
```text
GET /chairs
HTTP/1.1 301 Moved Permanently
Location: /seats
```

## Passes
```text
GET /chairs
HTTP/1.1 200 OK
```
"""

from urlset.rules.queries import SAME_BUT_SPELLING
from urlset.rules.rule import Cause, EntryRule, Severity
from urlset.web.indexability import REDIRECTS_ELSEWHERE

RULE = EntryRule(
    code="PGE005",
    name="page-redirects",
    severity=Severity.WARNING,
    table="pages",
    needs=("maybe-not-indexable",),
    field="final_url",
    detail="hop_statuses[1]",
    # PGE036 covers a page whose canonical is the URL that redirects to it. Of a directory, the page at the end may be
    # unknown; that it redirects is not.
    where=f"""
        (status BETWEEN 200 AND 299 OR skipped = 'undecided') AND len(hops) = 1 AND {REDIRECTS_ELSEWHERE}
    """,
    message="Page redirects",
    causes=(Cause("SIT005", SAME_BUT_SPELLING.format(one="url", other="final_url")),),
    example="{url} redirects to {value} ({detail})",
    effect="search engines index the target of the redirect instead of {places:listed URL|listed URLs}",
    fix="List the target instead. An intentional temporary redirect can stay.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J04",),
)
