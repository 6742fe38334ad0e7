"""Checks for sites whose URLs are on a placeholder: the host in the configuration of a theme or generator
(`yoursite.com`), that of one machine (`localhost`, `site.local`), or a host that is reserved for examples
(`example.com`) although the site is elsewhere. A sitemap is reported only if all of its URLs are on such a host.

## Why is this bad
Search engines cannot reach the host, or find another site there, so they index no listed URL. Usually, the URL of the
site was never set in the configuration of the generator.

## Fails
```xml
<url><loc>https://yoursite.com/</loc></url>
<url><loc>https://yoursite.com/about</loc></url>
```

## Passes
```xml
<url><loc>https://chairs.org/</loc></url>
<url><loc>https://chairs.org/about</loc></url>
```
"""

from urlset.rules.queries import NOWHERE, is_placeholder_on
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="SIT003",
    name="placeholder-host",
    severity=Severity.ERROR,
    scope=RuleScope.RUN,
    table="site_faults",
    needs=("site_faults|placeholder-host",),
    query=f"""
        WITH listed AS (
            SELECT
                document_id, host, entries, sites[1] AS site,
                regexp_replace(sites[1], '^[a-z]+://', '') AS listed_host
            FROM documents
            WHERE len(sites) = 1 AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')
        )
        SELECT document_id, ordinal, line, col, url, value, about
        FROM site_faults
        WHERE problem = 'placeholder'
        UNION ALL
        SELECT
            min(document_id) AS document_id,{NOWHERE}, site AS value,
            concat(
                site, ' in the sitemap (', sum(entries), CASE sum(entries) WHEN 1 THEN ' entry)' ELSE ' entries)' END
            )
                || coalesce(', but the sitemap is on ' || host, '') AS about
        FROM listed
        WHERE
            host IS DISTINCT FROM listed_host AND {is_placeholder_on("listed_host", "host")}
        GROUP BY host, site
    """,
    message="URLs of the site are on a placeholder host",
    example="{about:whole}",
    effect="search engines drop every listed URL",
    fix="Set the URL of the site in the configuration of its generator, and build the site again.",
    sources=(
        "https://www.sitemaps.org/protocol.html#location",
        "https://www.rfc-editor.org/rfc/rfc2606#section-3",
        "urlset",
    ),
    runs_without_rows=True,
    checks=("D12",),
)
