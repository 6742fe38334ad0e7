"""Checks for child sitemaps of a local index that are not among the files of the run, while a sitemap with nearly the
same name is in the folder of the index and no index lists it. Such names differ only in case, in hyphens, underscores,
and dots, in a plural s, or in the extension.

## Why is this bad
The index lists a file that does not exist, so search engines get a 404 instead of the sitemap, and do not find the
other file.

## Fails
```text
sitemap_index.xml: <sitemap><loc>https://www.example.com/sitemap-posts.xml</loc></sitemap>
sitemap_posts.xml: the only file with posts
```

## Passes
```text
sitemap_index.xml: <sitemap><loc>https://www.example.com/sitemap-posts.xml</loc></sitemap>
sitemap-posts.xml: the file that the index lists
```
"""

from urlset.rules.listed import SITEMAP_KINDS
from urlset.rules.queries import with_their_sitemaps
from urlset.rules.rule import RuleScope, SetRule, Severity


def _key(name: str) -> str:
    """Return SQL for what nearly equal names have in common."""
    letters = f"regexp_replace(regexp_replace(lower({name}), '[.]gz$', ''), '[ ._-]', '', 'g')"
    return f"regexp_replace({letters}, 's?(xml|txt)?$', '')"


def _folder(path: str) -> str:
    return f"regexp_replace({path}, '[^/]*$', '')"


RULE = SetRule(
    code="IDX024",
    name="child-name-differs",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="children",
    field="loc",
    needs=("sitemapindex",),
    query=f"""
        {with_their_sitemaps(("kind",), f"kind IN {SITEMAP_KINDS}", "TRUE")}, there AS (
            SELECT DISTINCT document_id, ordinal, of_index, name FROM pairs
        )
        SELECT c.document_id, c.ordinal, c.line, c.col, c.loc AS url, s.url AS value, c.name AS child
        FROM listed AS c
        JOIN sitemaps AS s
            ON {_key("s.name")} = {_key("c.name")} AND {_folder("s.file")} = {_folder("c.of_index")}
        LEFT JOIN there AS t ON t.document_id = c.document_id AND t.ordinal = c.ordinal
        LEFT JOIN there AS o ON o.name = s.name AND {_folder("o.of_index")} = {_folder("c.of_index")}
        WHERE
            c.is_of_file AND s.host IS NULL AND s.name <> c.name AND s.file <> c.of_index
            AND t.document_id IS NULL AND o.document_id IS NULL
    """,
    message="Index lists a sitemap under another name than its file",
    example="there is no {child}; did you mean {value}?",
    effect="search engines get an error for {places:child sitemap|child sitemaps}",
    fix="Write the name of the file in the index, or rename the file.",
    sources=("https://www.sitemaps.org/protocol.html#index", "urlset"),
    checks=("F13",),
)
