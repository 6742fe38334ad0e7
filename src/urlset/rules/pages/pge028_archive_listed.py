"""Checks for listed pages whose path looks like a tag, author, or date archive, or a later page of a paginated list, as
content management systems create them: `/tag/oak/`, `/author/ada/`, `/2026/03/`, `/blog/page/7/`. In preview because it
relies on the path alone.

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
from urlset.rules.rule import EntryRule, Lifecycle, Severity

RULE = EntryRule(
    code="PGE028",
    name="archive-listed",
    severity=Severity.INFO,
    table="pages",
    field="url",
    where=f"""
        {SHOWN_AS_LISTED} AND regexp_matches(lower(url), concat(
            '^https?://[^/?#]+(/[^?#]*)?/(',
            '(tag|tags|author|authors|archive|archives|label|labels|schlagwort|etiquette|etiqueta)/[^/?#]+',
            '|page/[0-9]+|(19|20)[0-9][0-9]/(0[1-9]|1[0-2])(/(0[1-9]|[12][0-9]|3[01]))?',
            ')/?([?#]|$)'
        ))
    """,
    message="URL looks like an archive or pagination page",
    example="{url}",
    fix="Remove archives from the sitemap, unless people search for what they list.",
    sources=(
        "urlset",
        "https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget",
    ),
    lifecycle=Lifecycle.PREVIEW,
    checks=("J15",),
)
