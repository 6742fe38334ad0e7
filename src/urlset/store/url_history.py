"""What a store has about one URL besides its page in one run: language versions, and its dates in all runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.model.url_facts import LanguageLink, UrlOfRun
from urlset.store.file import RUN_ID, utc
from urlset.store.page_evidence import MAX_LINKS
from urlset.tables import ALTERNATES, LINKS, PAGES, RUNS, URLS

if TYPE_CHECKING:
    from urlset.store.file import Store

MAX_RUNS = 50
"""Maximum runs to search for a URL; the newest ones."""


def language_links(store: Store, run_id: int, url: str) -> list[LanguageLink]:
    """Return the hreflang links of a URL in sitemaps, and those of other entries to it."""
    of_run, number = f"{RUN_ID} = {run_id:d}", _core.url_hash(url)
    places = f"SELECT document_id, ordinal FROM {URLS.name} WHERE {of_run} AND loc_hash = {number:d} AND loc = $1"
    own = store.rows(
        f"SELECT DISTINCT hreflang, href FROM {ALTERNATES.name} WHERE {of_run} AND hreflang IS NOT NULL "
        f"AND href IS NOT NULL AND (document_id, ordinal) IN ({places}) ORDER BY ALL LIMIT {MAX_LINKS:d}",
        [url],
    )
    back = store.rows(
        f"SELECT DISTINCT a.hreflang, u.loc FROM ("
        f"SELECT document_id, ordinal, hreflang FROM {ALTERNATES.name} "
        f"WHERE {of_run} AND href_hash = {number:d} AND href = $1 LIMIT {MAX_LINKS:d}) AS a "
        f"JOIN (SELECT document_id, ordinal, loc FROM {URLS.name} WHERE {of_run}) AS u USING (document_id, ordinal) "
        "WHERE u.loc <> $1 ORDER BY ALL",
        [url],
    )
    sources, targets = {source for _, source in back}, {target for _, target in own}
    return [
        *(LanguageLink(code, target, target == url or target in sources) for code, target in own),
        *(LanguageLink(code, source, False) for code, source in back if source not in targets),
    ]


def links_from(store: Store, run_id: int, url: str, most: int) -> list[str]:
    """Return the first URLs that a page links to; none if the run read no links."""
    if not store.has_table(LINKS.name):
        return []
    rows = store.rows(
        f"SELECT DISTINCT to_url FROM {LINKS.name} "
        f"WHERE {RUN_ID} = {run_id:d} AND from_hash = {_core.page_hash(url):d} "
        f"ORDER BY to_url LIMIT {most:d}"
    )
    return [target for (target,) in rows]


def url_in_runs(store: Store, url: str) -> list[UrlOfRun]:
    """Return what each run has about a URL, newest first; runs that do not list it are left out."""
    is_hash = f"loc_hash = {_core.url_hash(url):d}"
    rows = store.rows(
        f"""
        SELECT r.{RUN_ID}, r.started_at, first(u.lastmod), p.status, p.reason, p.{RUN_ID} IS NOT NULL
        FROM (SELECT * FROM {RUNS.name} ORDER BY {RUN_ID} DESC LIMIT {MAX_RUNS:d}) AS r
        JOIN (SELECT {RUN_ID}, lastmod FROM {URLS.name} WHERE {is_hash} AND loc = $1) AS u ON u.{RUN_ID} = r.{RUN_ID}
        LEFT JOIN (SELECT {RUN_ID}, first(status) AS status, first(reason) AS reason FROM {PAGES.name}
            WHERE {is_hash} AND url = $1 GROUP BY {RUN_ID}) AS p ON p.{RUN_ID} = r.{RUN_ID}
        GROUP BY ALL ORDER BY r.{RUN_ID} DESC
        """,
        [url],
    )
    return [
        UrlOfRun(run_id, utc(started), lastmod, status, reason, was_checked)
        for run_id, started, lastmod, status, reason, was_checked in rows
    ]
