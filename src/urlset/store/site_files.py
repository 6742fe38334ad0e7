"""Stores what a run found in key files and llms.txt, and finds what a run says about the policy of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from urlset import _core
from urlset.store.file import RUN_ID
from urlset.store.stored_values import stored_values
from urlset.store.twins import IS_PAGE
from urlset.tables import CHILDREN, CRAWLED, DOCUMENTS, LLMS_LINKS, PAGES, TWINS, URLS

if TYPE_CHECKING:
    from collections.abc import Collection

    from urlset.store.file import Store
    from urlset.store.run import Run


KINDS = KEY_FILE, LLMS_FILE, SITE, SERVED_FILE = "indexnow-key", "llms", "site", "served"
"""Kinds of documents that are only recorded because findings are located in them."""


def relative_entries(run: Run) -> tuple[int, int, int, str | None]:
    """Return the number of entries of a run, of those without a host and their documents, and the first of these."""
    entries = " UNION ALL ".join(
        f"SELECT document_id, ordinal, loc, loc_problem FROM {table.name} WHERE {RUN_ID} = {run.run_id:d}"
        for table in (URLS, CHILDREN)
    )
    is_relative = "FILTER (loc_problem = 'relative')"
    [(total, relative, files, first)] = run.store.rows(
        f"SELECT count(*), count(*) {is_relative}, count(DISTINCT document_id) {is_relative}, "
        f"arg_min(loc, (document_id, ordinal)) {is_relative} FROM ({entries})"
    )
    return int(total), int(relative), int(files), None if first is None else str(first)


def listed_among(store: Store, run_id: int, urls: Collection[str]) -> frozenset[str]:
    """Return those of some URLs that a sitemap of a run lists."""
    hashes = {url: _core.url_hash(url) for url in urls}
    rows = store.rows(
        f"SELECT DISTINCT loc_hash FROM {URLS.name} WHERE {RUN_ID} = {run_id:d} "
        "AND loc_hash IN (SELECT unnest($1::BIGINT[]))",
        [list(hashes.values())],
    )
    listed = {number for (number,) in rows}
    return frozenset(url for url, number in hashes.items() if number in listed)


RESPONSE = ("skipped", "status", "error_kind", "error", "final_url")
"""What `llms_links` and `external_links` have about the response for a link."""


def twins_among(store: Store, run_id: int, urls: Collection[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the pages of those of some URLs that are Markdown twins, and the twins of those that are pages."""
    if not store.has_table(TWINS.name):
        return {}, {}
    rows = store.rows(
        f"SELECT url, twin FROM {TWINS.name} WHERE {RUN_ID} = {run_id:d} AND status BETWEEN 200 AND 299 AND words > 0 "
        "AND (url IN (SELECT unnest($1::VARCHAR[])) OR twin IN (SELECT unnest($1::VARCHAR[])))",
        [list(urls)],
    )
    return {str(twin): str(url) for url, twin in rows}, {str(url): str(twin) for url, twin in rows}


def described_by(store: Store, run_id: int) -> list[tuple[str, list[str]]]:
    """Return each llms.txt that the pages of a run name with `describedby`, with these pages; the most named first."""
    rows = store.rows(
        f"SELECT described_by, list(url ORDER BY url) AS named_by FROM {PAGES.name} WHERE {RUN_ID} = {run_id:d} "
        "AND described_by IS NOT NULL AND status BETWEEN 200 AND 299 GROUP BY described_by "
        "ORDER BY len(named_by) DESC, described_by"
    )
    return [(str(url), list(pages)) for url, pages in rows]


def llms_sections(store: Store, run_id: int) -> list[tuple[str, int, int]]:
    """Return the sections of the indexable HTML pages of a run, with their number, and how many are in an llms.txt."""
    pages = store.rows(f"SELECT DISTINCT page FROM {LLMS_LINKS.name} WHERE {RUN_ID} = {run_id:d} AND page IS NOT NULL")
    rows = store.rows(
        f"""
        SELECT
            coalesce(nullif(regexp_extract(url, '^[a-z]+://[^/?#]+(/[^/?#]+/)', 1), ''), '/') AS section, count(*),
            count(*) FILTER (loc_hash IN (SELECT unnest($1::BIGINT[])))
        FROM {PAGES.name} WHERE {RUN_ID} = {run_id:d} AND {IS_PAGE}
        GROUP BY section ORDER BY count(*) DESC, section
        """,
        [[_core.url_hash(page) for (page,) in pages]],
    )
    return [(str(section), int(number), int(named)) for section, number, named in rows]


def responses_among(store: Store, run_id: int, urls: Collection[str]) -> dict[str, dict[str, object]]:
    """Return the responses for those of some URLs that a run has requested as pages, by URL."""
    columns = ", ".join(RESPONSE)
    pages = " UNION ALL ".join(
        f"SELECT {url}, {columns} FROM {table.name} WHERE {RUN_ID} = {run_id:d} AND skipped IS NULL"
        for table, url in ((PAGES, "url"), (CRAWLED, "url"), (TWINS, "twin AS url"))
        if store.has_table(table.name)
    )
    rows = store.rows(f"SELECT * FROM ({pages}) WHERE url IN (SELECT unnest($1::VARCHAR[]))", [list(urls)])
    return {url: dict(zip(RESPONSE, response, strict=True)) for url, *response in rows}


class PolicyFacts(NamedTuple):
    """The data of a run on the policy of a site, besides its robots.txt.

    Attributes:
        robots_status: The HTTP status code of the robots.txt; None without a response.
        status: The HTTP status code of the page; None if it was not requested.
        headers: Its headers about policy, by lowercase name.
        meta: Name and content of its robots meta elements.
        llms_url: The llms.txt; None if none is known.
    """

    robots_status: int | None
    status: int | None
    headers: dict[str, str]
    meta: tuple[tuple[str, str], ...]
    llms_url: str | None
    llms_links: int


def policy_facts(store: Store, run_id: int, robots_id: int, url: str) -> PolicyFacts:
    """Return what a run says about the policy of a site, by the document of its robots.txt and its home page."""
    [(robots_status,)] = store.rows(
        f"SELECT any_value(http_status) FROM {DOCUMENTS.name} "
        f"WHERE {RUN_ID} = {run_id:d} AND document_id = {robots_id:d}"
    )
    page = store.connection.execute(
        f"SELECT status, x_robots, content_usage, meta_robots FROM ({store.pages(run_id)}) "
        "WHERE url = $1 AND status IS NOT NULL LIMIT 1",
        [url],
    ).fetchone()
    llms, links = None, 0
    if store.has_table(LLMS_LINKS.name):
        [(llms, links)] = store.rows(
            f"SELECT any_value(url), count(*) FROM {LLMS_LINKS.name} "
            f"WHERE {RUN_ID} = {run_id:d} AND starts_with(url, $1)",
            [url],
        )
    with stored_values(store.path, f"the pages of run {run_id}"):
        status, tags, usage, meta = page or (None, None, None, None)
        headers = {} if usage is None else {"content-usage": str(usage)}
        if tags:
            # What names no crawler goes first, since a directive belongs to the crawler named before it.
            headers["x-robots-tag"] = ", ".join(sorted(map(str, tags), key=lambda tag: ":" in tag))
        elements = tuple(str(text).partition(": ")[::2] for text in meta or ())
        return PolicyFacts(robots_status, status, headers, elements, llms, int(links))
