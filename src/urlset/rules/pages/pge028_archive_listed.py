"""Checks for listed pages whose path looks like a tag, author, or date archive, or a later page of a paginated list, as
content management systems create them: `/tag/oak/`, `/author/ada/`, `/2026/03/`, `/blog/page/7/`. A path alone proves
little, so the finding is a hint, and each kind of path is one place, at its first URL.

## Why is this bad
Such pages repeat what the listed articles say, and take crawl budget away from them. Some are good landing pages; those
belong in the sitemap.

## Fails
```xml
<loc>https://example.com/tag/oak/</loc>
```

## Passes
```xml
<loc>https://example.com/blog/oak-or-beech/</loc>
```
"""

from urlset.rules.queries import SHOWN_AS_LISTED
from urlset.rules.rule import RuleScope, SetRule, Severity

NAMED = "(tag|tags|author|authors|archive|archives|label|labels|schlagwort|etiquette|etiqueta)/[^/?#]+|(page)/[0-9]+"
DATED = "(19|20)[0-9][0-9]/(0[1-9]|1[0-2])(/(0[1-9]|[12][0-9]|3[01]))?"
END = "/?([?#]|$)"

RULE = SetRule(
    code="PGE028",
    name="archive-listed",
    severity=Severity.HINT,
    scope=RuleScope.RUN,
    table="pages",
    field="url",
    # Of a dated path, the kind is empty.
    query=f"""
        WITH archives AS (
            SELECT
                document_id, ordinal, line, col, url,
                regexp_extract(lower(url), '/({NAMED}){END}', 2)
                    || regexp_extract(lower(url), '/({NAMED}){END}', 3) AS kind
            FROM pages
            WHERE {SHOWN_AS_LISTED}
                AND regexp_matches(lower(url), '^https?://[^/?#]+(/[^?#]*)?/({NAMED}|{DATED}){END}')
                AND NOT regexp_matches(lower(url), '/index[.][a-z]+{END}')
        ), kinds AS (
            SELECT
                count(*) AS pages,
                min(struct_pack(
                    document_id := document_id, ordinal := ordinal, line := line, col := col, url := url
                )) AS first
            FROM archives
            GROUP BY kind
        )
        SELECT
            first.document_id AS document_id, first.ordinal AS ordinal, first.line AS line, first.col AS col,
            first.url AS url, first.url AS value, pages
        FROM kinds
    """,
    message="Listed URLs look like archive or pagination pages",
    example="{pages:listed page looks|listed pages look} like {value}",
    effect="search engines may spend crawl budget on {places:kind of archive page|kinds of archive pages}",
    fix="Remove archives from the sitemap, unless people search for what they list.",
    sources=(
        "urlset",
        "https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget",
    ),
    checks=("J15",),
)
