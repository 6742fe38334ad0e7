"""A run in aggregates: what the report page draws, each by one query, however many URLs there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset.model.run import Languages, Overview, Redirects, Section
from urlset.store.file import RUN_ID

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.store.file import Store

MOST_SECTIONS = 40
"""Sections that are told apart, at most."""

MOST_PARTS = 12
"""Folders of a section that are told apart, at most."""

MOST_CODES = 40
"""Codes of languages that are told apart, at most."""

MOST_EXAMPLES = 20
"""Examples of redirects."""

_FOLDERS = "regexp_extract(path, '^/(?:[^/]*/){0,2}')"

ASKED: Mapping[str, Mapping[str, str] | None] = {
    "runs": None,
    # Of texts it is asked only whether they are there, and of paths the folders.
    "urls": {"host": "host", "path": _FOLDERS, "lastmod": "left(lastmod, 0)", "lastmod_at": "lastmod_at"},
    "alternates": {"hreflang": "hreflang", "href": "left(href, 0)"},
    "link_sets": {"links": "links", "targets": "targets", "set_hash": "set_hash"},
}
"""What the queries below ask of a run: where it is kept for nothing else, this will do."""

_DAYS = """
SELECT lastmod_at::DATE AS day, count(*) FROM urls WHERE {run} AND lastmod_at IS NOT NULL GROUP BY day ORDER BY day
"""

_LASTMODS = """
SELECT count(*), count(*) FILTER (lastmod IS NULL), count(*) FILTER (lastmod IS NOT NULL AND lastmod_at IS NULL)
FROM urls WHERE {run}
"""

# The first folder, as in the table `access`: `/` for what lies in none. A part is the folder below it.
_SECTIONS = """
WITH folders AS MATERIALIZED (
    SELECT host, {folders} AS folder, count(*) AS urls
    FROM urls WHERE {run} AND host IS NOT NULL GROUP BY ALL
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


def overview(store: Store, run_id: int) -> Overview:
    """The aggregates of a run."""

    def ask(statement: str, **values: object) -> list[tuple[Any, ...]]:
        filled = statement.format(run=f"{RUN_ID} = {run_id:d}", **values)
        return store.connection.execute(filled).fetchall()

    [(entries, missing, unreadable)] = ask(_LASTMODS)
    sections = ask(_SECTIONS, folders=_FOLDERS, most=MOST_SECTIONS, parts=MOST_PARTS)
    return Overview(
        entries=entries,
        days=tuple(ask(_DAYS)),
        lastmod_missing=missing,
        lastmod_unreadable=unreadable,
        sections=_sections(sections),
        more_sections=max(0, sections[0][4] - MOST_SECTIONS) if sections else 0,
        languages=_languages(ask(_CODES, most=MOST_CODES), ask(_SIZES), ask(_CLUSTERS)),
        redirects=_redirects(ask(_HOPS), ask(_HOP_STATUSES), ask(_REDIRECTED, most=MOST_EXAMPLES)),
    )


def _sections(rows: list[tuple[Any, ...]]) -> tuple[Section, ...]:
    parts: dict[str, list[tuple[str, int]]] = {}
    totals: dict[str, int] = {}
    for section, total, part, urls, _ in rows:
        totals[section] = int(total)
        parts.setdefault(section, []).append((part, int(urls)))
    return tuple(Section(name, total, tuple(parts[name])) for name, total in totals.items())


def _languages(
    codes: list[tuple[Any, ...]], sizes: list[tuple[Any, ...]], clusters: list[tuple[Any, ...]]
) -> Languages | None:
    if not codes:
        return None
    return Languages(
        codes=tuple((code, links) for code, links, _ in codes),
        more_codes=max(0, codes[0][2] - len(codes)),
        sizes=tuple((targets, count) for targets, count in sizes),
        clusters=clusters[0][0],
        entries=sum(count for _, count in sizes),
    )


def _redirects(
    hops: list[tuple[Any, ...]], statuses: list[tuple[Any, ...]], examples: list[tuple[Any, ...]]
) -> Redirects | None:
    if not hops:
        return None
    return Redirects(tuple(hops), tuple(statuses), tuple(examples))
