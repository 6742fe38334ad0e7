"""Finds what runs, access logs, and reports of search engines say about one page."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.model.page_explanation import CrawlsOfPage, IndexReport, LinksToPage, Listing, StoredPage
from urlset.model.page_list import PageVerdict
from urlset.net.origin import origin_url
from urlset.store.file import RUN_ID, Store, utc
from urlset.store.page_list import page_rows
from urlset.store.page_timeline import timeline_of_page
from urlset.store.possible import POSSIBLE_REPORT
from urlset.store.run import Run
from urlset.store.sites import by_site, finished_runs, site_of_url, sites_of
from urlset.store.stored_values import stored_values
from urlset.tables import (
    ALTERNATES,
    CRAWLS,
    DOCUMENTS,
    INDEX_STATES,
    LINKED,
    LINKS,
    LOG_FILES,
    PAGES,
    RUNS,
    URLS,
)
from urlset.text.masking import mask_target

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.run import RunRow

MAX_SHOWN = 10
"""Maximum entries, links, crawlers, and reports to return of each kind."""

MAX_LINKS = 1_000
"""Maximum language versions to read from sitemaps."""

_COLUMNS = {
    RUNS.name: RUNS.column_names,
    DOCUMENTS.name: DOCUMENTS.column_names,
    PAGES.name: PAGES.column_names,
    URLS.name: ("document_id", "ordinal", "line", "col", "loc", "loc_line", "loc_col", "loc_hash", "lastmod"),
    ALTERNATES.name: ("document_id", "ordinal", "hreflang", "href", "href_hash"),
}
"""The tables and columns that the search for a page needs."""

_ENTRIES = f"""
SELECT u.loc, coalesce(d.url, '') AS document, coalesce(u.loc_line, u.line), coalesce(u.loc_col, u.col), u.lastmod,
    count(*) OVER () AS total
FROM {URLS.name} AS u
LEFT JOIN {DOCUMENTS.name} AS d ON d.{RUN_ID} = u.{RUN_ID} AND d.document_id = u.document_id
WHERE u.{RUN_ID} = {{run_id}} AND u.loc_hash IN (SELECT unnest($1::BIGINT[]))
ORDER BY u.document_id, u.ordinal
LIMIT {MAX_SHOWN}
"""

_VERSIONS = f"""
SELECT DISTINCT u.loc, a.hreflang, a.href
FROM {ALTERNATES.name} AS a
JOIN {URLS.name} AS u ON u.{RUN_ID} = a.{RUN_ID} AND u.document_id = a.document_id AND u.ordinal = a.ordinal
WHERE a.{RUN_ID} = {{run_id}} AND a.hreflang IS NOT NULL AND a.href IS NOT NULL AND u.loc IS NOT NULL
    AND (u.loc_hash IN (SELECT unnest($1::BIGINT[])) OR a.href_hash IN (SELECT unnest($1::BIGINT[])))
ORDER BY ALL
LIMIT {MAX_LINKS}
"""

# In any spelling, and through a redirect; each linking page counts once, also in several spellings.
_LINKS = f"""
WITH of_page AS MATERIALIZED (
    SELECT page_hash FROM {LINKED.name}
    WHERE {RUN_ID} = {{run_id}} AND (
        page IN (SELECT page FROM {LINKED.name} WHERE {RUN_ID} = {{run_id}} AND page_hash = $1)
        OR redirects_to IN (SELECT url FROM {LINKED.name} WHERE {RUN_ID} = {{run_id}} AND page_hash = $1)
    )
    UNION
    SELECT $1
)
SELECT f.url AS from_url, bool_or(NOT coalesce(l.nofollow, false)) AS is_followed
FROM {LINKS.name} AS l
JOIN {LINKED.name} AS f ON f.{RUN_ID} = l.{RUN_ID} AND f.page_hash = l.from_hash
WHERE l.{RUN_ID} = {{run_id}} AND l.to_hash IN (FROM of_page) AND l.from_hash NOT IN (FROM of_page)
    AND f.page = f.page_hash AND f.redirects_to IS NULL
GROUP BY f.url
"""


@contextmanager
def evidence_run(path: Path, target: str) -> Iterator[tuple[Store, Run]]:
    """Yield a new store and a run in it, which keeps only what the search for a page needs."""
    tables = {name: {column: f'"{column}"' for column in columns} for name, columns in _COLUMNS.items()}
    with Store.create(path) as store:
        yield store, Run.begin(store, [target], {}, tables=tables)


def entries_of(store: Store, run_id: int, urls: Sequence[str]) -> tuple[tuple[Listing, ...], int]:
    """Return the first entries with one of these URLs, and the number of all."""
    rows = store.rows(_ENTRIES.format(run_id=f"{run_id:d}"), [[*map(_core.url_hash, urls)]])
    return tuple(Listing(*row[:-1]) for row in rows), rows[0][-1] if rows else 0


def versions_in_sitemaps(store: Store, run_id: int, urls: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return the hreflang links of these URLs in sitemaps, and those to them: URL of the entry, code, target."""
    return store.rows(_VERSIONS.format(run_id=f"{run_id:d}"), [[*map(_core.url_hash, urls)]])


def verdicts_of(store: Store, run_id: int) -> dict[str, PageVerdict]:
    """Return the verdict of each page of a run, by URL."""
    return {row[0]: PageVerdict(*row) for row in page_rows(store, run_id, every=True)}


def stored_page(path: Path, url: str, folder: Path | None = None) -> StoredPage:
    """Return what a store knows about a page.

    Args:
        folder: The directory of its built site, whose runs count as well.

    Raises:
        InputError: The store cannot be read, or is damaged.
    """
    with Store.read(path) as store:
        site = site_of_url(url)
        runs = [
            run
            for run in finished_runs(store.runs())
            if site in sites_of(run.targets) or (folder is not None and folder in map(Path, run.targets))
        ]
        return page_of_store(store, url, runs[-1] if runs else None)


def page_of_store(store: Store, url: str, run: RunRow | None) -> StoredPage:
    """Return what an open store knows about a page.

    Args:
        run: The run for its verdict and the links to it; None for neither.

    Raises:
        InputError: The store is damaged.
    """
    with stored_values(store.path, "what it has on the page"):
        key = _core.page_hash(url)
        of_run: dict[str, Any] = {}
        if run is not None:
            run_id = run.run_id
            of_run = {"run_id": run_id, "finished_at": run.finished_at, "links": _links(store, run_id, key)}
            of_run |= _verdict(store, run_id, url, key)
            own = next(group for group in by_site(finished_runs(store.runs())) if run_id in {r.run_id for r in group})
            of_run["timeline"] = timeline_of_page(store, url, key, own)
        return StoredPage(
            mask_target(str(store.path)), **of_run, crawls=_crawls(store, url, key), reports=_reports(store, key)
        )


def _verdict(store: Store, run_id: int, url: str, key: int) -> dict[str, object]:
    rows = store.rows(
        f"SELECT content_hash FROM ({store.pages(run_id)}) WHERE page_hash = $1 ORDER BY document_id, ordinal LIMIT 1",
        [key],
    )
    verdict = next((PageVerdict(*row) for row in page_rows(store, run_id, every=True, limit=1, url=url)), None)
    if verdict is None or not rows:
        return {}
    names = ("is_indexable", "reason", "value")
    return {"was_checked": True, "content_hash": rows[0][0], **{name: getattr(verdict, name) for name in names}}


def _links(store: Store, run_id: int, key: int) -> LinksToPage | None:
    """Return the links to a page; None if the run read no links."""
    if not store.has_table(LINKS.name) or not store.has_table(LINKED.name):
        return None
    of_run = f"{RUN_ID} = {run_id:d}"
    [(is_read,)] = store.rows(f"SELECT count(*) > 0 FROM {LINKED.name} WHERE {of_run}")
    if not is_read:
        return None
    links = _LINKS.format(run_id=f"{run_id:d}")
    [(pages, followed)] = store.rows(f"SELECT count(*), count(*) FILTER (is_followed) FROM ({links})", [key])
    first = store.rows(f"{links} ORDER BY from_url LIMIT {MAX_SHOWN}", [key])
    clicks = store.rows(f"SELECT min(clicks) FROM {LINKED.name} WHERE {of_run} AND page_hash = $1", [key])
    return LinksToPage(pages, followed, tuple(str(row[0]) for row in first), clicks[0][0])


def _crawls(store: Store, url: str, key: int) -> tuple[CrawlsOfPage, ...] | None:
    """Return the requests of crawlers for a page; None if the store has no access logs of its site."""
    if not store.has_table(LOG_FILES.name) or not store.has_table(CRAWLS.name):
        return None
    [(is_logged,)] = store.rows(
        f"SELECT count(*) > 0 FROM {LOG_FILES.name} WHERE site IS NULL OR site = $1", [origin_url(url)]
    )
    if not is_logged:
        return None
    rows = store.rows(
        f"SELECT agent, verdict, hits, first_at, last_at, statuses, status_hits FROM {CRAWLS.name} "
        f"WHERE page_hash = $1 ORDER BY hits DESC, agent, verdict LIMIT {MAX_SHOWN}",
        [key],
    )
    return tuple(
        CrawlsOfPage(agent, verdict, hits, utc(first), utc(last), dict(zip(statuses or (), counts or (), strict=True)))
        for agent, verdict, hits, first, last, statuses, counts in rows
    )


def _reports(store: Store, key: int) -> tuple[IndexReport, ...] | None:
    """Return the reports of search engines on a page, newest first; None if the store has no reports at all."""
    if not store.has_table(INDEX_STATES.name):
        return None
    [(has_any,)] = store.rows(f"SELECT count(*) > 0 FROM {INDEX_STATES.name}")
    if not has_any:
        return None
    rows = store.rows(
        f'SELECT engine, source, state, reason, reason_text, last_crawled, canonical, "at" FROM {INDEX_STATES.name} '
        f'WHERE page_hash = $1 AND {POSSIBLE_REPORT} ORDER BY "at" DESC, engine, source LIMIT {MAX_SHOWN}',
        [key],
    )
    return tuple(
        IndexReport(engine, source, state, reason, text, None if crawled is None else utc(crawled), canonical, utc(at))
        for engine, source, state, reason, text, crawled, canonical, at in rows
    )
