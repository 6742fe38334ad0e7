"""Checks for sites whose sources agree on the host, but not on the scheme (http or https), on `www.`, or on the path:
the sitemaps and canonical links, robots.txt, `CNAME` on GitHub Pages, and the base URL that was given. A base URL on
another host is reported here, too, because previews are published on hosts of their own.

## Why is this bad
Under the protocol, these are different sites. Search engines report each URL as redirected, or drop it. If
GitHub Pages publishes a branch, and the two hosts differ only in `www.`, it redirects the other host to the one in
`CNAME`.

## Fails
```text
https://www.example.com/sitemap.xml: http://www.example.com/, http://www.example.com/about
```

## Passes
```text
https://www.example.com/sitemap.xml: https://www.example.com/, https://www.example.com/about
```
"""

from urlset.rules.queries import NOWHERE
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="SIT005",
    name="site-url-differs",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="site_faults",
    needs=("site_faults|other-site",),
    query=f"""
        WITH listed AS (
            SELECT
                document_id, host, entries, sites[1] AS site, regexp_extract(final_url, '^https?') AS scheme,
                regexp_replace(sites[1], '^[a-z]+://', '') AS listed_host
            FROM documents
            WHERE
                len(sites) = 1 AND kind IN ('urlset', 'text') AND host IS NOT NULL
                AND regexp_matches(final_url, '^https?://[^:/]+/')
        )
        SELECT document_id, ordinal, line, col, url, value, about
        FROM site_faults
        WHERE problem = 'url-differs'
        UNION ALL
        SELECT
            min(document_id) AS document_id,{NOWHERE}, site AS value,
            concat(site, ' in the sitemap (', sum(entries), CASE sum(entries) WHEN 1 THEN ' entry' ELSE ' entries' END,
                '), but the sitemap is on ', scheme, '://', host)
                AS about
        FROM listed
        WHERE
            site <> scheme || '://' || host
            AND regexp_replace(host, '^www[.]', '') = regexp_replace(listed_host, '^www[.]', '')
        GROUP BY host, scheme, site
    """,
    message="Sources disagree about the URL of the site",
    example="{about:whole}",
    effect="search engines treat the two URLs as different sites, and may drop the pages of one",
    fix="Use one URL of the site everywhere, preferably with https, and redirect the others to it.",
    sources=(
        "https://www.sitemaps.org/protocol.html#location",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    runs_without_rows=True,
    checks=("D13", "D15"),
)
