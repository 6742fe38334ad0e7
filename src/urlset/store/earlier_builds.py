"""Finds the runs of a store that had the pages and files that a site serves now."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from urlset import _core
from urlset.store.sites import site_of_url, sites_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from urlset.store.file import Store

_PAGES = "SELECT run_id, url, status, content_hash, title FROM {} WHERE skipped IS NULL"


class EarlierRun(NamedTuple):
    """A finished run."""

    run_id: int
    started_at: datetime


def comparable_runs(store: Store, base: str) -> dict[int, EarlierRun]:
    """Return the runs of a site whose content hashes are comparable with those of this version, by number."""
    return {run.run_id: run for run, version in _runs_of(store, base) if version == _core.TEXT_VERSION}


def _runs_of(store: Store, base: str) -> list[tuple[EarlierRun, int | None]]:
    """Return the finished runs of a site or of local files, and the version in which each read texts.

    Runs of a preview of the site have its URLs, too.
    """
    site = site_of_url(base)
    versions: dict[int, int | None] = dict(store.rows("SELECT run_id, text_version FROM runs"))
    return [
        (EarlierRun(run.run_id, run.started_at), versions[run.run_id])
        for run in store.runs()
        if run.finished_at is not None and (not (sites := sites_of(run.targets)) or site in sites)
    ]


def urls_of_run(store: Store, run_id: int, urls: Sequence[str]) -> set[str]:
    """Return those of some URLs that a run has as pages or documents."""
    rows = store.rows(
        f"SELECT url FROM (SELECT url, run_id FROM ({_pages(store)}) UNION ALL SELECT url, run_id FROM documents) "
        "WHERE run_id = $1 AND url IN (SELECT unnest($2::VARCHAR[]))",
        [run_id, list(urls)],
    )
    return {str(url) for (url,) in rows}


def runs_with_pages(store: Store, contents: Mapping[str, tuple[int, str]]) -> dict[str, set[int]]:
    """Return the runs in which pages had some content, by URL.

    Args:
        contents: The content hash and title of each page.
    """
    if not contents:
        return {}
    rows = store.rows(
        f"WITH wanted AS (SELECT unnest($1::VARCHAR[]) AS url, unnest($2::BIGINT[]) AS hash, "
        "unnest($3::VARCHAR[]) AS title) "
        f"SELECT DISTINCT p.url, p.run_id FROM ({_pages(store)}) p JOIN wanted w "
        "ON w.url = p.url AND w.hash = p.content_hash AND w.title = coalesce(p.title, '')",
        [list(contents), [each for each, _ in contents.values()], [title for _, title in contents.values()]],
    )
    return _by_url(rows)


def runs_with_files(store: Store, digests: Mapping[str, str]) -> dict[str, set[int]]:
    """Return the runs in which documents had some content, by URL.

    Args:
        digests: The SHA-256 of each document.
    """
    if not digests:
        return {}
    rows = store.rows(
        "WITH wanted AS (SELECT unnest($1::VARCHAR[]) AS url, unnest($2::VARCHAR[]) AS sha256) "
        "SELECT DISTINCT d.url, d.run_id FROM documents d JOIN wanted w ON w.url = d.url AND w.sha256 = d.sha256",
        [list(digests), list(digests.values())],
    )
    return _by_url(rows)


def pages_of_last_run(store: Store, base: str) -> tuple[EarlierRun, Sequence[str]] | None:
    """Return the last finished run of a site with pages below its URL, and these pages; None without one."""
    runs = {run.run_id: run for run, _ in _runs_of(store, base)}
    rows = store.rows(
        f"WITH found AS (SELECT run_id, url FROM ({_pages(store)}) "
        "WHERE status = 200 AND starts_with(url, $1) AND run_id IN (SELECT unnest($2::BIGINT[]))) "
        "SELECT DISTINCT run_id, url FROM found WHERE run_id = (SELECT max(run_id) FROM found) ORDER BY url",
        [base, list(runs)],
    )
    return (runs[int(rows[0][0])], [str(url) for _, url in rows]) if rows else None


def _pages(store: Store) -> str:
    return " UNION ALL ".join(_PAGES.format(name) for name in ("pages", "crawled") if store.has_table(name))


def _by_url(rows: Sequence[Sequence[object]]) -> dict[str, set[int]]:
    runs: dict[str, set[int]] = {}
    for url, run_id in rows:
        # Damaged rows belong to no run.
        if isinstance(run_id, int):
            runs.setdefault(str(url), set()).add(run_id)
    return runs
