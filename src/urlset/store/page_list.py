"""Lists the pages of a run with their verdicts: which are not indexable, and why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.model.page_list import NotIndexable, PageVerdict
from urlset.net.origin import origin_url
from urlset.rules.queries import sql_list
from urlset.store.file import RUN_ID
from urlset.store.probed import reason_counts
from urlset.store.url_hashes import same_page, same_url
from urlset.tables import DOCUMENTS, PAGES, URLS
from urlset.web.indexability import COPIES, IS_COPY, VALUE, PageReason, comparable
from urlset.web.systems import seen_system

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.store.file import Fields, Store
    from urlset.web.systems import SeenSystem

MAX_VERDICTS = 20_000
"""Maximum pages in a report; `urlset pages` lists all."""

MAX_CHARACTERS = 20_000_000
"""Maximum characters of these pages, whose URLs may be of any length."""

ROWS_AT_ONCE = 10_000

_ORDER = ", ".join(f"'{reason}'" for reason in PageReason)

# The first page with the same content is the indexable page of the group. A URL that is not valid is shown as it is
# listed as well: `url` is the one that it means, if that is known.
_LIST = f"""
WITH of_run AS NOT MATERIALIZED ({{pages}}), chosen AS (
    SELECT
        url, is_indexable, reason, {VALUE} AS value, document_id, ordinal, line, col, status,
        CASE WHEN {IS_COPY} THEN content_hash END AS copied
    FROM of_run
    WHERE {{wanted}}
), copies AS (
    {comparable("(FROM of_run WHERE {copies} AND content_hash IN (SELECT copied FROM chosen))")}
), firsts AS (
    SELECT k.content_hash, k.version, min_by(p.url, p.document_id::BIGINT * 4294967296 + p.ordinal) AS url
    FROM copies AS k
    JOIN of_run AS p ON p.document_id = k.document_id AND p.ordinal = k.ordinal
    WHERE p.reason IS NULL
    GROUP BY k.content_hash, k.version
), invalid AS (
    SELECT document_id, ordinal, loc FROM {URLS.name}
    WHERE {RUN_ID} = {{run_id}} AND (document_id, ordinal) IN (
        SELECT (document_id, ordinal) FROM chosen WHERE reason = '{PageReason.INVALID_URL}'
    )
)
SELECT
    c.url, c.is_indexable, c.reason, coalesce(f.url, nullif(i.loc, c.url), c.value) AS value,
    coalesce(d.url, '') AS document, c.line, c.col, c.status{{more}}
FROM chosen AS c
LEFT JOIN copies AS k ON c.copied IS NOT NULL AND k.document_id = c.document_id AND k.ordinal = c.ordinal
LEFT JOIN firsts AS f ON f.content_hash = k.content_hash AND f.version = k.version
LEFT JOIN invalid AS i ON i.document_id = c.document_id AND i.ordinal = c.ordinal
LEFT JOIN {DOCUMENTS.name} AS d ON d.{RUN_ID} = {{run_id}} AND d.document_id = c.document_id
ORDER BY {{order}}
"""

_BY_REASON = f"coalesce(list_position([{_ORDER}], c.reason), 0), c.document_id, c.ordinal"


def is_listed_page(url: str) -> str:
    """Return SQL for whether a row of `pages` has this URL, in any spelling, or was requested at it.

    A URL that is not valid has the hash of what is listed, and the URL that it means.
    """
    return f"({same_url(url, 'url')} OR reason = '{PageReason.INVALID_URL}' AND {same_page(url, 'url', 'page_hash')})"


def page_rows(
    store: Store,
    run_id: int,
    reasons: Sequence[str] = (),
    *,
    every: bool = False,
    limit: int | None = None,
    url: str | None = None,
) -> Iterator[Fields]:
    """Yield the columns of `PageVerdict` of pages of a run, by reason and then in the order of the sitemaps.

    Args:
        reasons: Reasons of the pages to list; empty for all.
        every: Whether to list pages that are indexable as well.
    """
    condition = "true" if every else "reason IS NOT NULL"
    if reasons:
        condition = f"reason IN {sql_list(reasons)}"
    if url is not None:
        condition += f" AND {is_listed_page(url)}"
    statement = _LIST.format(
        pages=store.pages(run_id), wanted=condition, copies="true", more="", order=_BY_REASON, run_id=f"{run_id:d}"
    )
    cursor = store.connection.cursor()
    try:
        cursor.execute(statement if limit is None else f"{statement} LIMIT {limit:d}")
        while rows := cursor.fetchmany(ROWS_AT_ONCE):
            yield from rows
    finally:
        cursor.close()


MAX_TEMPLATED = 500_000
"""Maximum pages of which to count the templates."""

TEMPLATE = r"""regexp_replace(regexp_replace(regexp_replace(
    regexp_extract(url, '^[A-Za-z]+://[^/?#]*(/[^?#]*)', 1),
    '/[^/]*[0-9][^/]*', '/*', 'g'), '/[^/]*[_.%-][^/]*$', '/*'), '^((/[^/]*){3})/.+$', '\1/…')"""
"""SQL for the template of a page: the first three segments of its path, with `*` for those that have a digit, and for
a last one of several words: `/shop/*/reviews`, `/blog/*`."""


class PageFilter(Struct, frozen=True):
    """Which pages of a run to list.

    Attributes:
        reason: A `PageReason`, `indexable`, `all`, or `lacking` for all that are not indexable.
        under: What the URL starts with.
        document: The number of the sitemap that lists it.
        text: Text that the URL contains, in any case.
        template: The `TEMPLATE` of its URL.
    """

    reason: str = "lacking"
    under: str | None = None
    status: int | None = None
    document: int | None = None
    text: str | None = None
    template: str | None = None

    def condition(self) -> tuple[str, list[object]]:
        """Return it as SQL, with its parameters."""
        parts: list[tuple[str, object]] = [
            (part, value)
            for part, value in (
                ("starts_with(url, ${})", self.under or None),
                ("status = ${}", self.status),
                ("document_id = ${}", self.document),
                ("contains(lower(url), lower(${}))", self.text or None),
                # Before the templates of all pages are made, which takes longer.
                ("contains(url, ${})", re.split(r"[*…]", self.template)[0] if self.template else None),
                (f"{TEMPLATE.replace('{', '{{').replace('}', '}}')} = ${{}}", self.template or None),
            )
            if value is not None
        ]
        reasons = {"lacking": "reason IS NOT NULL", "all": "true", "indexable": "reason IS NULL"}
        first = reasons.get(self.reason)
        if first is None:
            parts.append(("reason = ${}", self.reason))
        conditions = [part.format(number) for number, (part, _) in enumerate(parts, 1)]
        return " AND ".join([first or "true", *conditions]), [value for _, value in parts]


def read_pages(
    store: Store, run_id: int, chosen: PageFilter, limit: int, after: tuple[int, int] | None = None
) -> list[tuple[PageVerdict, tuple[int, int]]]:
    """Return the first pages that a filter chooses, in the order of the sitemaps.

    Each comes with its place, document and ordinal; `after` is the place after which to begin.
    """
    condition, values = chosen.condition()
    if after is not None:
        condition += f" AND (document_id, ordinal) > ({after[0]:d}, {after[1]:d})"
    pages = store.pages(run_id)
    # Only their places at first: to sort all columns of a million pages takes seconds.
    places = store.connection.execute(
        f"SELECT document_id, ordinal, reason FROM ({pages}) AS of_run WHERE {condition} "
        f"ORDER BY document_id, ordinal LIMIT {limit:d}",
        values,
    ).fetchall()
    if not places:
        return []
    keys = ", ".join(f"({document:d}, {ordinal:d})" for document, ordinal, _ in places)
    statement = _LIST.format(
        pages=pages,
        # DuckDB skips whole row groups by these bounds.
        wanted=f"document_id BETWEEN {places[0][0]:d} AND {places[-1][0]:d} AND (document_id, ordinal) IN ({keys})",
        copies="true" if any(reason in COPIES for _, _, reason in places) else "false",
        more=", c.document_id, c.ordinal",
        order="c.document_id, c.ordinal",
        run_id=f"{run_id:d}",
    )
    rows = store.connection.execute(statement).fetchall()
    return [(PageVerdict(*row[:-2]), (row[-2], row[-1])) for row in rows]


def page_facets(store: Store, run_id: int, chosen: PageFilter, limit: int) -> dict[str, list[tuple[object, int]]]:
    """Return how many of the pages that a filter chooses have each status, sitemap, template, and next path segment.

    Returns:
        By `status`, `document` (its number and URL), `under`, and `template`, up to `limit` values with their counts,
        most frequent first; of more than `MAX_TEMPLATED` pages, no template.
    """
    where, values = chosen.condition()
    # The folder that a path begins with, one level below what was chosen.
    folder = chosen.under or ""
    segment = (
        f"concat(left(url, {len(folder):d}), regexp_extract(substr(url, {len(folder) + 1:d}), '^[^/?#]*/'))"
        if folder
        else "regexp_extract(url, '^[A-Za-z]+://[^/?#]*/([^/?#]*/)?')"
    )
    counts = store.connection.execute(
        f"SELECT status, document_id, under, count(*) AS count FROM ("
        f"SELECT status, document_id, {segment} AS under FROM ({store.pages(run_id)}) AS of_run WHERE {where}"
        ") AS chosen GROUP BY GROUPING SETS ((status), (document_id), (under)) "
        "ORDER BY count DESC, status, document_id, under",
        values,
    )
    facets: dict[str, list[tuple[object, int]]] = {"status": [], "document": [], "under": []}
    numbers = []
    for status, document, under, count in counts.fetchall():
        if document is not None:
            numbers.append((document, count))
        elif under not in (None, "", folder):
            facets["under"].append((under, count))
        elif status is not None:
            facets["status"].append((status, count))
    names = dict(
        store.connection.execute(
            f"SELECT document_id, url FROM {DOCUMENTS.name} WHERE {RUN_ID} = {run_id:d}"
        ).fetchall()
    )
    facets["document"] = [((number, names.get(number, "")), count) for number, count in numbers]
    facets["template"] = []
    if sum(count for _, count in numbers) <= MAX_TEMPLATED:
        facets["template"] = store.connection.execute(
            f"SELECT {TEMPLATE} AS template, count(*) AS count FROM ({store.pages(run_id)}) AS of_run WHERE {where} "
            f"GROUP BY template HAVING template <> '' ORDER BY count DESC, template LIMIT {limit:d}",
            values,
        ).fetchall()
    return {name: facet[:limit] for name, facet in facets.items()}


def not_indexable(store: Store, run_id: int) -> NotIndexable | None:
    """Return the pages of a run that are not indexable, at most `MAX_VERDICTS`; None if no page was requested."""
    listed, counts = count_listed_pages(store, run_id)
    if not listed:
        return None
    pages = []
    size = 0
    for row in page_rows(store, run_id, limit=MAX_VERDICTS) if counts else ():
        page = PageVerdict(*row)
        size += len(page.url) + len(page.value or "") + len(page.document)
        if size > MAX_CHARACTERS:
            break
        pages.append(page)
    return NotIndexable(counts, tuple(pages), _systems(store, run_id))


_ORIGIN = "regexp_extract(url, '^[^:/?#]+://[^/?#]*')"

MAX_SYSTEMS = 100
"""Maximum systems of a run, counted for each of its sites."""


def _systems(store: Store, run_id: int) -> tuple[SeenSystem, ...]:
    """Return the systems that pages of a run show to be made with."""
    rows = store.rows(
        f"SELECT seen, origin, count(*) AS pages FROM ("
        f"SELECT unnest(made_with) AS seen, {_ORIGIN} AS origin "
        f"FROM ({store.pages(run_id, 'url', 'made_with')}) AS of_run WHERE made_with IS NOT NULL"
        f") AS seen_on GROUP BY seen, origin ORDER BY pages DESC, seen, origin LIMIT {MAX_SYSTEMS:d}"
    )
    found = (seen_system(seen, origin_url(f"{origin}/"), pages) for seen, origin, pages in rows)
    return tuple(system for system in found if system is not None)


def systems_by_reason(store: Store, run_id: int) -> dict[str, list[str]]:
    """Return the names of the systems that show on the sites of pages that are not indexable, by reason."""
    systems = _systems(store, run_id)
    if not systems:
        return {}
    rows = store.rows(
        f"SELECT DISTINCT reason, {_ORIGIN} AS origin FROM ({store.pages(run_id, 'url', 'reason')}) AS of_run "
        "WHERE reason IS NOT NULL"
    )
    origins: dict[str, set[str | None]] = {}
    for reason, origin in rows:
        origins.setdefault(reason, set()).add(origin_url(f"{origin}/"))
    return {
        reason: list(dict.fromkeys(system.name for system in systems if system.origin in of_reason))
        for reason, of_reason in origins.items()
    }


def count_listed_pages(store: Store, run_id: int) -> tuple[int, dict[str, int]]:
    """Return the number of pages of a run that were requested or skipped, and the number of each reason."""
    [(listed,)] = store.rows(f"SELECT count(*) FROM {PAGES.name} WHERE {RUN_ID} = {run_id:d}")
    if not listed:
        return 0, {}
    pages = f"({store.pages(run_id, 'reason', 'is_indexable')}) AS pages"
    return listed, dict(store.rows(reason_counts(pages)))
