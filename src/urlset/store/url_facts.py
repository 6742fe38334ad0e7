"""Looks up one URL in a run: where it is listed, its page, the findings that name it, and the links to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.page_list import PageVerdict
from urlset.model.url_facts import NamingFinding, Place, UrlFacts
from urlset.store.file import RUN_ID
from urlset.store.page_list import is_listed_page, page_rows
from urlset.store.url_hashes import same_page, same_url
from urlset.tables import DOCUMENTS, FINDINGS, LINKS, PAGES, URLS

if TYPE_CHECKING:
    from urlset.store.file import Store

MAX_URLS = 3
"""Maximum URLs with a path, on different hosts, to look up."""

MAX_ROWS = 20
"""Maximum places, findings, and links of a URL."""

PAGE_COLUMNS = (
    "status", "final_url", "hops", "content_type", "noindex", "canonical", "title", "words", "html_lang", "lastmod",
    "last_modified", "blocked_by", "error", "fetched_at",
)  # fmt: skip
"""The columns of `pages` to show, if they are not null."""


def url_facts(store: Store, run_id: int, url: str) -> list[UrlFacts]:
    """Return what a run has about a URL.

    Args:
        url: The URL as listed; or its path, with query, on any host, if it starts with a slash.
    """
    if not url.startswith("/"):
        return [_facts(store, run_id, url)]
    columns = [(URLS.name, "loc"), *([(LINKS.name, "to_url")] if store.has_table(LINKS.name) else [])]
    sources = " UNION ".join(
        f"SELECT {column} AS url FROM {table} WHERE {RUN_ID} = {run_id:d} "
        f"AND regexp_replace({column}, '^https?://[^/?#]+', '', 'i') = $1"
        for table, column in columns
    )
    rows = store.connection.execute(f"{sources} ORDER BY url LIMIT {MAX_URLS:d}", [url]).fetchall()
    return [_facts(store, run_id, address) for (address,) in rows]


def _facts(store: Store, run_id: int, url: str) -> UrlFacts:
    connection = store.connection
    of_run = f"{RUN_ID} = {run_id:d}"
    # Numbers are compared much faster than text.
    places = connection.execute(
        f"WITH invalid AS MATERIALIZED ("
        f"SELECT document_id, ordinal FROM {PAGES.name} WHERE {of_run} AND {is_listed_page(url)}"
        f"), listed AS MATERIALIZED ("
        f"SELECT * FROM {URLS.name} WHERE {of_run} AND ({same_url(url)} OR (document_id, ordinal) IN (FROM invalid))) "
        f"SELECT d.url, u.line, u.lastmod FROM listed AS u JOIN {DOCUMENTS.name} AS d USING ({RUN_ID}, document_id) "
        f"ORDER BY document_id, u.ordinal LIMIT {MAX_ROWS:d}"
    ).fetchall()
    has_links = store.has_table(LINKS.name)
    is_link = f"{of_run} AND {same_page(url, 'to_url', 'to_hash')}"
    spellings = _spellings(store, run_id, url, is_link if has_links else None)
    findings = connection.execute(
        f"SELECT code, severity, message, document, line FROM {FINDINGS.name} WHERE {of_run} "
        "AND (list_contains($1, url) OR list_contains($1, value)) "
        f"ORDER BY severity, code, document_id, example LIMIT {MAX_ROWS:d}",
        [spellings],
    ).fetchall()
    links: list[str] = []
    # Most URLs have no links, and to read all pages takes much longer than to look for one.
    from_others = f"{is_link} AND NOT list_contains($1, from_url)"
    if has_links and connection.execute(f"FROM {LINKS.name} WHERE {from_others} LIMIT 1", [spellings]).fetchall():
        rows = connection.execute(
            f"SELECT DISTINCT from_url FROM {LINKS.name} WHERE {from_others} "
            # What redirects has the links of its target.
            f"AND from_url NOT IN (SELECT url FROM ({store.pages(run_id)}) AS pages WHERE final_url <> url) "
            f"ORDER BY from_url LIMIT {MAX_ROWS + 1:d}",
            [spellings],
        ).fetchall()
        links = [from_url for (from_url,) in rows]
    cursor = connection.execute(
        f"SELECT {', '.join(PAGE_COLUMNS)} FROM ({store.pages(run_id)}) AS pages WHERE {is_listed_page(url)} LIMIT 1"
    )
    page = cursor.fetchone()
    verdicts = page_rows(store, run_id, every=True, url=url, limit=1)
    return UrlFacts(
        url=url,
        run_id=run_id,
        places=tuple(Place(*row) for row in places),
        verdict=next((PageVerdict(*row) for row in verdicts), None),
        page={
            name: value for name, value in zip(PAGE_COLUMNS, page or (), strict=False) if value not in (None, [], "")
        },
        findings=tuple(NamingFinding(*row) for row in findings),
        linked_from=tuple(links),
    )


def _spellings(store: Store, run_id: int, url: str, is_link: str | None) -> list[str]:
    """Return a URL as a run spells it: findings name it in these spellings.

    Args:
        is_link: SQL for links to it; None if the store has no links.
    """
    of_run = f"{RUN_ID} = {run_id:d}"
    queries = [
        f"SELECT loc FROM {URLS.name} WHERE {of_run} AND {same_url(url)}",
        f"SELECT url FROM ({store.pages(run_id)}) AS pages WHERE {is_listed_page(url)}",
    ]
    if is_link is not None:
        queries.append(f"SELECT to_url FROM {LINKS.name} WHERE {is_link}")
    return [url, *(spelling for (spelling,) in store.rows(" UNION ".join(queries)) if spelling != url)]
