"""Computes the aggregates of a run for the report page, each with one query, for any number of URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.batches import Batches
from urlset.engine.row_groups import RowGroups
from urlset.engine.rule_sql import identifier_list
from urlset.model.run import Languages, Overview, Redirects, Section
from urlset.store.file import RUN_ID
from urlset.store.run import Run
from urlset.tables import URLS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.store.file import Fields, Store

MAX_SECTIONS = 40
"""Maximum number of separate sections."""

MAX_PARTS = 12
"""Maximum number of separate folders per section."""

MAX_CODES = 40
"""Maximum number of separate language codes."""

MAX_EXAMPLES = 20
"""Maximum number of examples of redirects."""

_DATES = """
SELECT {document}lastmod_at::DATE AS day, lastmod IS NULL AS is_missing, count(*) AS urls FROM {urls} GROUP BY ALL
"""

_FOLDERS = """
SELECT {document}host, regexp_extract(path, '^/(?:[^/]*/){{0,2}}') AS folder, count(*) AS urls
FROM {urls} WHERE host IS NOT NULL GROUP BY ALL
"""

_COUNTED = {"url_dates": _DATES, "url_folders": _FOLDERS}
"""Tables with counted URLs instead of a row for each, in stores that are only used for the queries below."""

_COLUMNS = ("document_id", "host", "path", "lastmod", "lastmod_at")
"""The columns of URLs that are counted."""

_OTHER_TABLES: Mapping[str, Mapping[str, str] | None] = {
    "runs": None,
    # Of hrefs, the queries only need whether they exist; the rows of a document may have to be removed.
    "alternates": {"document_id": "document_id", "hreflang": "hreflang", "href": "left(href, 0)"},
    "link_sets": {name: name for name in ("document_id", "links", "targets", "set_hash")},
}

_DAYS = """
SELECT day, sum(urls)::BIGINT FROM {url_dates} WHERE day IS NOT NULL GROUP BY day ORDER BY day
"""

_LASTMODS = """
SELECT coalesce(sum(urls), 0)::BIGINT, coalesce(sum(urls) FILTER (is_missing), 0)::BIGINT,
    coalesce(sum(urls) FILTER (NOT is_missing AND day IS NULL), 0)::BIGINT
FROM {url_dates}
"""

# The first folder, as in the table `access`: `/` for paths without a folder. A part is the folder below it.
_SECTIONS = """
WITH folders AS MATERIALIZED (
    SELECT host, folder, sum(urls)::BIGINT AS urls FROM {url_folders} GROUP BY ALL
), counted AS (
    SELECT host || '/' || CASE WHEN folder IN ('', '/') THEN '' ELSE split_part(folder, '/', 2) || '/' END AS section,
        substr(folder, length(split_part(folder, '/', 2)) + 3) AS part, sum(urls) AS urls
    FROM folders GROUP BY ALL
), summed AS (
    SELECT *, sum(urls) OVER (PARTITION BY section) AS total FROM counted
), ranked AS (
    SELECT *, dense_rank() OVER (ORDER BY total DESC, section) AS rank,
        row_number() OVER (PARTITION BY section ORDER BY urls DESC, part) AS place
    FROM summed
)
SELECT section, total, part, urls, max(rank) OVER () FROM ranked
QUALIFY rank <= {most} AND place <= {parts} ORDER BY rank, place
"""

_CODES = """
SELECT coalesce(hreflang, ''), count(*) AS links, count(*) OVER () FROM alternates
WHERE {run} AND href IS NOT NULL GROUP BY ALL ORDER BY links DESC, 1 LIMIT {most}
"""

_SIZES = "SELECT targets, count(*) FROM link_sets WHERE {run} AND links > 0 GROUP BY targets ORDER BY targets"

_CLUSTERS = "SELECT count(DISTINCT set_hash) FROM link_sets WHERE {run} AND links > 0"

_HOPS = "SELECT len(hops), count(*) FROM pages WHERE {run} AND len(hops) > 0 GROUP BY ALL ORDER BY 1"

_HOP_STATUSES = """
SELECT status::VARCHAR, count(*) AS size FROM (SELECT unnest(hop_statuses) AS status FROM pages WHERE {run})
GROUP BY ALL ORDER BY size DESC, 1
"""

_REDIRECTED = """
SELECT url, coalesce(final_url, ''), len(hops), coalesce(status::VARCHAR, 'no response') FROM pages
WHERE {run} AND len(hops) > 0 ORDER BY len(hops) DESC, url LIMIT {most}
"""


class OverviewRows:
    """Adds what `overview` needs of documents to a new store that is only used for it."""

    def __init__(self, store: Store, targets: Sequence[str]) -> None:
        self.run = Run.begin(store, targets, {}, tables=_OTHER_TABLES)
        self._batches = Batches(store.connection)
        self._urls = RowGroups(self._count)
        with self.run.writing() as connection:
            for name, query in _COUNTED.items():
                connection.execute(f"CREATE TABLE {name} AS {_of_documents(query, URLS.name)} LIMIT 0")

    def add(self, batch: Mapping[str, object]) -> None:
        """Add rows of documents: an object with `__arrow_c_stream__` for each table."""
        for name, rows in batch.items():
            if name == URLS.name:
                self._urls.add(name, rows, _COLUMNS)
            else:
                self.run.add({name: rows})

    def remove(self, document_id: int) -> None:
        self._urls.finish()
        self.run.remove(document_id)
        with self.run.writing() as connection:
            for table in _COUNTED:
                connection.execute(f"DELETE FROM {table} WHERE document_id = {document_id:d}")

    def finish(self) -> None:
        """Count the rest of the rows, and finish the run."""
        self._urls.finish()
        self.run.finish({})

    def _count(self, name: str, rows: object, columns: Sequence[str]) -> None:
        with self.run.writing() as connection, self._batches.show(name, rows) as view:
            urls = f"(SELECT {identifier_list(columns)} FROM {view})"
            for table, query in _COUNTED.items():
                connection.execute(f"INSERT INTO {table} {_of_documents(query, urls)}")


def _of_documents(query: str, urls: str) -> str:
    """Return the query with the number of the document in each row, so that its rows can be removed."""
    return query.format(document="document_id, ", urls=urls)


def overview(store: Store, run_id: int) -> Overview:
    run = f"{RUN_ID} = {run_id:d}"
    counted = {
        name: name if store.has_table(name) else f"({query.format(document='', urls=f'(FROM urls WHERE {run})')})"
        for name, query in _COUNTED.items()
    }

    def ask(statement: str, **values: object) -> list[Fields]:
        return store.rows(statement.format(run=run, **counted, **values))

    [(entries, missing, unreadable)] = ask(_LASTMODS)
    sections = ask(_SECTIONS, most=MAX_SECTIONS, parts=MAX_PARTS)
    return Overview(
        entries=entries,
        days=tuple(ask(_DAYS)),
        lastmod_missing=missing,
        lastmod_unreadable=unreadable,
        sections=_sections(sections),
        more_sections=max(0, sections[0][4] - MAX_SECTIONS) if sections else 0,
        languages=_languages(ask(_CODES, most=MAX_CODES), ask(_SIZES), ask(_CLUSTERS)),
        redirects=_redirects(ask(_HOPS), ask(_HOP_STATUSES), ask(_REDIRECTED, most=MAX_EXAMPLES)),
    )


def _sections(rows: list[Fields]) -> tuple[Section, ...]:
    parts: dict[str, list[tuple[str, int]]] = {}
    totals: dict[str, int] = {}
    for section, total, part, urls, _ in rows:
        totals[section] = int(total)
        parts.setdefault(section, []).append((part, int(urls)))
    return tuple(Section(name, total, tuple(parts[name])) for name, total in totals.items())


def _languages(codes: list[Fields], sizes: list[Fields], clusters: list[Fields]) -> Languages | None:
    if not codes:
        return None
    return Languages(
        codes=tuple((code, links) for code, links, _ in codes),
        more_codes=max(0, codes[0][2] - len(codes)),
        sizes=tuple((targets, count) for targets, count in sizes),
        clusters=clusters[0][0],
        entries=sum(count for _, count in sizes),
    )


def _redirects(hops: list[Fields], statuses: list[Fields], examples: list[Fields]) -> Redirects | None:
    if not hops:
        return None
    return Redirects(tuple(hops), tuple(statuses), tuple(examples))
