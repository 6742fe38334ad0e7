"""Checks for child sitemaps that another index of the run also lists, or that another URL redirects to. The sitemap was
read once. IDX004 reports an index that lists a sitemap twice.

## Why is this bad
Apart from the extra requests, this does no harm. If two programs write the indexes, one of the two may be forgotten.

## Fails
```text
<!-- in /index-1.xml and /index-2.xml -->
<sitemap><loc>https://www.example.com/pages.xml</loc></sitemap>
```

## Passes
```text
<!-- only in /index-1.xml -->
<sitemap><loc>https://www.example.com/pages.xml</loc></sitemap>
```
"""

from urlset.rules.queries import SAME_BUT_SPELLING
from urlset.rules.rule import Cause, RuleScope, SetRule, Severity

RULE = SetRule(
    code="IDX017",
    name="child-in-several-indexes",
    severity=Severity.INFO,
    scope=RuleScope.RUN,
    table="children",
    field="loc",
    needs=("cuts",),
    query="""
        SELECT c.document_id, c.ordinal, c.line, c.col, c.url, coalesce(r.url, c.url) AS value,
            CASE WHEN r.url <> c.url THEN concat('was already read as ', r.url)
                WHEN p.url IS NOT NULL THEN concat('is also listed in ', p.url)
                ELSE 'was already read' END AS how
        FROM cuts AS c
        LEFT JOIN documents AS r ON r.document_id = c.duplicate_of
        LEFT JOIN documents AS p ON p.document_id = r.parent_id AND p.document_id <> c.document_id
        LEFT JOIN children AS o ON o.document_id = c.document_id AND o.ordinal = c.ordinal
        LEFT JOIN children AS e ON e.document_id = o.document_id AND e.loc_hash = o.loc_hash AND e.ordinal < o.ordinal
        WHERE c.kind = 'repeated' AND e.document_id IS NULL
    """,
    message="Index lists a sitemap that was already read",
    causes=(Cause("SIT005", f"url <> value AND {SAME_BUT_SPELLING.format(one='url', other='value')}"),),
    example="{url} {how}",
    fix="List each sitemap in only one index.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#index",
    ),
    checks=("F11",),
)
