"""The data on a URL besides its page in a run: language versions, links, and its dates in all runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.model.url_facts import LanguageLink, UrlOfRun
from urlset.store.file import RUN_ID, utc
from urlset.store.page_evidence import MAX_LINKS
from urlset.store.page_list import is_listed_page
from urlset.store.url_hashes import same_url
from urlset.tables import ALTERNATES, LINKS, PAGES, RUNS, URLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.store.file import Fields, Store

MAX_RUNS = 50
"""Maximum runs to search for a URL; the newest ones."""


def language_links(store: Store, run_id: int, url: str) -> list[LanguageLink]:
    """Return the hreflang links of a URL in sitemaps, and those of other entries to it."""
    of_run = f"{RUN_ID} = {run_id:d}"
    ask = store.connection.execute
    places = ask(f"SELECT document_id, ordinal FROM {URLS.name} WHERE {of_run} AND {same_url(url)}").fetchall()
    own = ask(
        f"SELECT DISTINCT hreflang, href FROM {ALTERNATES.name} WHERE {of_run} AND hreflang IS NOT NULL "
        f"AND href IS NOT NULL AND {_at(places)} ORDER BY ALL LIMIT {MAX_LINKS:d}"
    ).fetchall()
    links = ask(
        f"SELECT document_id, ordinal, hreflang FROM {ALTERNATES.name} "
        f"WHERE {of_run} AND {same_url(url, 'href', 'href_hash')} ORDER BY ALL LIMIT {MAX_LINKS:d}"
    ).fetchall()
    back = ask(
        f"SELECT DISTINCT a.hreflang, u.loc FROM (SELECT unnest($1::INTEGER[]) AS document_id, "
        f"unnest($2::INTEGER[]) AS ordinal, unnest($3::VARCHAR[]) AS hreflang) AS a "
        f"JOIN (SELECT document_id, ordinal, loc FROM {URLS.name} WHERE {of_run} AND {_at(links)}) AS u "
        "USING (document_id, ordinal) ORDER BY ALL",
        [[row[place] for row in links] for place in range(3)],
    ).fetchall()
    form = _core.normal_url
    sources, targets = {form(source) for _, source in back}, {form(target) for _, target in own}
    return [
        *(LanguageLink(code, target, form(target) in sources | {form(url)}) for code, target in own),
        *(LanguageLink(code, source, False) for code, source in back if form(source) not in targets | {form(url)}),
    ]


def _at(rows: Sequence[Fields]) -> str:
    """Return SQL for the places that rows begin with; by its bounds, DuckDB skips whole row groups."""
    numbers = [document for document, *_ in rows]
    places = ", ".join(f"({document:d}, {ordinal:d})" for document, ordinal, *_ in rows)
    bounds = f"document_id BETWEEN {min(numbers, default=0):d} AND {max(numbers, default=0):d}"
    return f"{bounds} AND (document_id, ordinal) IN ({places})" if rows else "false"


def links_from(store: Store, run_id: int, url: str, limit: int) -> list[str]:
    """Return the first URLs that a page links to; none if the run read no links."""
    if not store.has_table(LINKS.name):
        return []
    rows = store.connection.execute(
        f"SELECT DISTINCT to_url FROM {LINKS.name} "
        f"WHERE {RUN_ID} = {run_id:d} AND from_hash = {_core.page_hash(url):d} "
        f"ORDER BY to_url LIMIT {limit:d}"
    ).fetchall()
    return [target for (target,) in rows]


def url_in_runs(store: Store, url: str) -> list[UrlOfRun]:
    """Return what each run has about a URL, newest first; runs that do not list it are left out."""
    # By the hash first: otherwise DuckDB reads the text of all URLs, which takes twice as long.
    rows = store.connection.execute(
        f"""
        WITH requested AS MATERIALIZED (
            SELECT {RUN_ID}, url, lastmod, status, reason FROM {PAGES.name} WHERE {is_listed_page(url)}
        ), listed AS MATERIALIZED (
            SELECT {RUN_ID}, lastmod FROM {URLS.name} WHERE {same_url(url)}
            UNION ALL
            SELECT {RUN_ID}, lastmod FROM requested
        )
        SELECT r.{RUN_ID}, r.started_at, first(u.lastmod), p.status, p.reason, p.{RUN_ID} IS NOT NULL
        FROM (SELECT * FROM {RUNS.name} ORDER BY {RUN_ID} DESC LIMIT {MAX_RUNS:d}) AS r
        JOIN listed AS u ON u.{RUN_ID} = r.{RUN_ID}
        LEFT JOIN (SELECT {RUN_ID}, first(status) AS status, first(reason) AS reason FROM requested
            GROUP BY {RUN_ID}) AS p ON p.{RUN_ID} = r.{RUN_ID}
        GROUP BY ALL ORDER BY r.{RUN_ID} DESC
        """
    ).fetchall()
    return [
        UrlOfRun(run_id, utc(started), lastmod, status, reason, was_checked)
        for run_id, started, lastmod, status, reason, was_checked in rows
    ]
