"""Checks for sites whose sources are on different hosts: the sitemaps and canonical links, robots.txt, `CNAME` on
GitHub Pages, and the URL that the site or its sitemap was found at. Hosts that differ in at most two letters are
reported as a typing error. SIT005 covers `www.`. A sitemap is reported if it lists no URL on its own host or that of
its site, unless the robots.txt of the listed host names it.

## Why is this bad
A sitemap may only list URLs on its own host: search engines drop all others. If the canonical links name another host,
the pages of this one are not indexed.

## Fails
```text
CNAME: www.example.com
sitemap.xml: https://www.examplle.com/, https://www.examplle.com/about
```

## Passes
```text
CNAME: www.example.com
sitemap.xml: https://www.example.com/, https://www.example.com/about
```
"""

from urlset.rules.cross_submission import NAMING, READ_HOSTS, missing_listing
from urlset.rules.queries import NOWHERE, is_placeholder_on, of_one_site
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="SIT004",
    name="site-host-differs",
    severity=Severity.ERROR,
    scope=RuleScope.RUN,
    table="site_faults",
    needs=("site_faults|other-site",),
    query=f"""
        WITH naming AS ({NAMING}), asked AS ({READ_HOSTS}), listed AS (
            SELECT
                document_id, host, entries, sites[1] AS site,
                contains(concat(array_to_string(sites, ' '), ' '), concat('://', host, ' ')) AS has_own,
                regexp_replace(sites[1], '^[a-z]+://', '') AS listed_host
            FROM documents
            WHERE len(sites) >= 1 AND kind IN ('urlset', 'text') AND host IS NOT NULL
        )
        SELECT document_id, ordinal, line, col, url, value, about
        FROM site_faults
        WHERE problem = 'host-differs'
        UNION ALL
        SELECT
            min(l.document_id) AS document_id,{NOWHERE}, l.site AS value,
            concat(
                l.site, ' in the sitemap (', sum(l.entries),
                CASE sum(l.entries) WHEN 1 THEN ' entry' ELSE ' entries' END, '), but the sitemap is on ', l.host
            )
                || CASE
                    WHEN levenshtein(l.listed_host, l.host) <= 2 THEN ': one of them has a typing error'
                    ELSE {missing_listing("l.listed_host", "l.host", "max(a.host) IS NOT NULL")}
                END AS about
        FROM listed AS l
        LEFT JOIN naming AS n ON n.host = l.listed_host AND n.sitemap_host = l.host
        LEFT JOIN asked AS a ON a.host = l.listed_host
        WHERE
            n.host IS NULL AND NOT l.has_own AND l.host <> l.listed_host
            AND NOT {of_one_site("l.host", "l.listed_host")} AND NOT {of_one_site("l.listed_host", "l.host")}
            AND NOT {is_placeholder_on("l.listed_host", "l.host")}
        GROUP BY l.host, l.listed_host, l.site
    """,
    message="Sources of the site are on different hosts",
    example="{about:whole}",
    effect="search engines drop the URLs on the wrong host",
    fix="Correct the host in the configuration of the generator, and build the site again.",
    sources=(
        "https://www.sitemaps.org/protocol.html#location",
        "https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site",
    ),
    runs_without_rows=True,
    checks=("D13",),
)
