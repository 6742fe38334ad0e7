"""Checks for hosts whose sitemaps list at least ten URLs but not the home page. `/index.html` and the home page of a
language, such as `/de/` or `/pt-br/`, count as the home page too.

The rule applies only if all documents of the host were fetched and read completely, no limit of the run was reached,
and every document is known to belong to the sitemaps of the whole host: robots.txt or an index lists it, it is an index
in the root folder, or it is `/sitemap.xml` or `/sitemap.txt`, with or without `.gz`. Hosts with feeds in the run, or
with nothing but news sitemaps, are not checked. Neither are hosts whose home page was requested and is not
indexable, for example because it redirects to the home page of a language.

## Why is this bad
The home page is the page that most sites want to be found first. If it is missing, the generator of the sitemap usually
omits other pages as well.

## Fails
The only sitemap of the site, https://www.example.com/sitemap.xml, with eight more pages like these:

```xml
<url><loc>https://www.example.com/about</loc></url>
<url><loc>https://www.example.com/shop</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc></url>
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.listed import SITEMAP_KINDS
from urlset.rules.queries import NOWHERE, has_trait
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="COV002",
    name="home-page-missing",
    severity=Severity.INFO,
    scope=RuleScope.RUN,
    table="documents",
    needs=("fetched", "no-home-page"),
    query=f"""
        WITH sitemaps AS (
            SELECT
                d.*, coalesce(d.http_status, 200) BETWEEN 200 AND 299 AND d.error_kind IS NULL AND d.complete
                AND d.kind IN {SITEMAP_KINDS} AS is_read,
                d.parent_id IS NOT NULL OR coalesce(d.found_by, '') = 'robots' OR regexp_matches(
                    d.site_path,
                    CASE WHEN d.kind = 'sitemapindex' THEN '^/[^/]*$' ELSE '^/sitemap[.](xml|txt)([.]gz)?$' END
                ) AS is_of_the_site
            FROM documents AS d
            LEFT JOIN robots_files AS r ON r.document_id = d.document_id
            WHERE r.document_id IS NULL AND d.host IS NOT NULL
        ), hosts AS (
            SELECT
                host, min(document_id) AS document_id, count(*) AS sitemaps,
                sum(CASE WHEN kind = 'sitemapindex' THEN 0 ELSE entries END) AS pages
            FROM sitemaps
            GROUP BY host
            HAVING
                count(*) = count(*) FILTER (WHERE is_read AND is_of_the_site)
                AND count(*) FILTER (WHERE kind IN ('rss', 'atom')) = 0
                AND count(*) FILTER (WHERE {has_trait(["home-page"])}) = 0
                AND count(*) FILTER (WHERE kind <> 'sitemapindex' AND news = 0) > 0
        ), missed AS (
            SELECT count(*) AS cuts FROM cuts WHERE kind IN ('depth-limit', 'document-limit', 'byte-limit')
        )
        SELECT h.document_id,{NOWHERE}, h.pages AS value, h.host
        FROM hosts AS h
        JOIN missed AS m ON m.cuts = 0
        WHERE h.pages >= 10 AND h.host NOT IN (
            SELECT regexp_extract(url, '^https?://([^/?#]*)', 1)
            FROM linked
            WHERE is_home AND NOT is_indexable AND skipped IS NULL
        )
    """,
    runs_without_rows=True,
    message="Home page is not in any sitemap",
    example="home page of {host} is not among {value:entry|entries}",
    fix="Add the home page to a sitemap.",
    sources=("urlset",),
    checks=("K05",),
)
