"""Checks for sitemap indexes that list another index of the same run. Fetched documents are compared by URL. A local
file matches a local index if the path of the listed URL ends with the path of the file, the file is next to or below
the index, and it lists sitemaps on the host of the URL; a `.gz` extension on either is ignored.

## Why is this bad
A sitemap index may only list sitemaps. Search Console reports nested sitemap indexes as an error, and search engines
may never find the pages behind the inner index.

## Fails
```xml
<!-- index.xml; sitemap-blog.xml is a sitemapindex itself -->
<sitemap><loc>https://example.com/sitemap-blog.xml</loc></sitemap>
```

## Passes
```xml
<!-- index.xml; both are urlset files -->
<sitemap><loc>https://example.com/sitemap-blog-1.xml</loc></sitemap>
<sitemap><loc>https://example.com/sitemap-blog-2.xml</loc></sitemap>
```
"""

from urlset.rules.queries import as_path, can_be_listed
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="IDX002",
    name="nested-index",
    severity=Severity.ERROR,
    table="children",
    field="loc",
    needs=("sitemapindex",),
    query=f"""
        WITH fetched AS (
            SELECT document_id, url_hash AS address_hash, url AS address
            FROM documents
            WHERE kind = 'sitemapindex' AND host IS NOT NULL
            UNION
            SELECT document_id, final_url_hash AS address_hash, final_url AS address
            FROM documents
            WHERE kind = 'sitemapindex' AND host IS NOT NULL
        ), files AS (
            SELECT
                document_id, kind, url,
                regexp_replace(site_path, '[.]gz$', '') AS tail,
                regexp_replace({as_path("documents")}, '[.]gz$', '') AS file
            FROM documents
            WHERE host IS NULL AND site_path IS NOT NULL
        ), listed AS (
            SELECT
                c.document_id, c.ordinal, c.loc, c.loc_hash,
                coalesce(c.loc_line, c.line) AS line, coalesce(c.loc_col, c.col) AS col,
                regexp_replace(c.path, '[.]gz$', '') AS path, c.host,
                {as_path("i")} AS of_index, i.host IS NULL AS is_of_file
            FROM children AS c
            JOIN documents AS i ON i.document_id = c.document_id
            WHERE c.loc IS NOT NULL
        ), candidates AS (
            SELECT c.*, f.document_id AS nested_id, f.url AS nested, f.tail
            FROM listed AS c
            JOIN files AS f
                ON f.kind = 'sitemapindex'
                AND split_part(c.path, '/', -1) = split_part(f.tail, '/', -1)
                AND right(c.path, length(f.tail)) = f.tail
                AND c.is_of_file AND {can_be_listed("c.of_index", "f.file", "f.tail", "c.path")}
            WHERE c.host IN (SELECT n.host FROM children AS n WHERE n.document_id = f.document_id)
        )
        SELECT c.document_id, c.ordinal, c.line, c.col, c.loc AS url, c.loc AS value, min(f.address) AS nested
        FROM listed AS c
        JOIN fetched AS f ON f.address_hash = c.loc_hash AND f.document_id <> c.document_id
        GROUP BY c.document_id, c.ordinal, c.line, c.col, c.loc
        UNION ALL
        SELECT c.document_id, c.ordinal, c.line, c.col, c.loc AS url, c.loc AS value, min(c.nested) AS nested
        FROM candidates AS c
        LEFT JOIN files AS better
            ON length(better.tail) > length(c.tail)
            AND split_part(c.path, '/', -1) = split_part(better.tail, '/', -1)
            AND right(c.path, length(better.tail)) = better.tail
        WHERE better.document_id IS NULL AND c.nested_id <> c.document_id
        GROUP BY c.document_id, c.ordinal, c.line, c.col, c.loc
    """,
    scope=RuleScope.RUN,
    message="Sitemap index lists another index",
    example="{nested} is a sitemap index itself",
    fix=(
        "List the sitemaps of the inner index in the outer index, or remove the inner index from it and list both in "
        "robots.txt."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://support.google.com/webmasters/answer/7451001",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps",
    ),
    checks=("F06",),
)
