"""Looks up one URL in a run: where it is listed, its page, the findings that name it, and the links to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.page_list import PageVerdict
from urlset.model.url_facts import NamingFinding, Place, UrlFacts
from urlset.store.file import RUN_ID
from urlset.store.page_list import page_rows
from urlset.store.url_hashes import same_url
from urlset.tables import DOCUMENTS, FINDINGS, LINKS, URLS

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
        f"WITH listed AS MATERIALIZED (SELECT * FROM {URLS.name} WHERE {of_run} AND {same_url(url)}) "
        f"SELECT d.url, u.line, u.lastmod FROM listed AS u JOIN {DOCUMENTS.name} AS d USING ({RUN_ID}, document_id) "
        f"ORDER BY document_id, u.ordinal LIMIT {MAX_ROWS:d}"
    ).fetchall()
    findings = connection.execute(
        f"SELECT code, severity, message, document, line FROM {FINDINGS.name} WHERE {of_run} "
        f"AND (url = $1 OR value = $1) ORDER BY severity, code, document_id, example LIMIT {MAX_ROWS:d}",
        [url],
    ).fetchall()
    links: list[str] = []
    is_link = f"{of_run} AND to_url = $1 AND from_url <> $1"
    # Most URLs have none, and to read all pages takes much longer than to look for one.
    if (
        store.has_table(LINKS.name)
        and connection.execute(f"FROM {LINKS.name} WHERE {is_link} LIMIT 1", [url]).fetchall()
    ):
        rows = connection.execute(
            f"SELECT DISTINCT from_url FROM {LINKS.name} WHERE {is_link} "
            # What redirects has the links of its target.
            f"AND from_url NOT IN (SELECT url FROM ({store.pages(run_id)}) AS pages WHERE final_url <> url) "
            f"ORDER BY from_url LIMIT {MAX_ROWS + 1:d}",
            [url],
        ).fetchall()
        links = [from_url for (from_url,) in rows]
    cursor = connection.execute(
        f"SELECT {', '.join(PAGE_COLUMNS)} FROM ({store.pages(run_id)}) AS pages WHERE {same_url(url, 'url')} LIMIT 1"
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
