"""Whole runs as cases: documents with the facts of their fetch, robots.txt files, what was not followed.

A case gives `run`, a list of documents numbered from 0. Each has a `url`, a body as other cases have one or none,
`robots` instead for a robots.txt, `parent` and `entry` for the document and entry that list it, and any column of
`documents`. `cuts` and `stale_lastmods` are rows of these tables, and `agents` whom robots.txt is asked about. `repeat`
is for one document that is there so often, with its number for `«N»` in its URL.

`pages` are rows of that table, by default for the entries of document 0 in their order; URL, place, hash and date are
those of the entry. `canonical` and `hreflang_urls` get their hashes if they are listed. A row with `times` stands for
so many pages that are not listed. `media` are rows of that table, in line 3 and column 5 unless they say otherwise.
`key_files`, `site_faults`, `served`, `llms_files`, `llms_problems`, `llms_links`, `external_links`, `broken_anchors`,
and `twins` are rows of these tables, in order; by default, a row of `served` is about one URL.
`linked` are rows of that table: by default listed, indexable pages of a crawl, to which one page links. `log_urls`,
`log_crawlers`, and `log_sitemaps` are rows of these tables: by default what three good requests of Googlebot give.
`coverage` are rows of that table: by default listed pages that Google reports without a state; `times` stands for so
many of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import duckdb

from urlset import _core
from urlset.database.connections import batches, connect
from urlset.documents import concatenate
from urlset.engine.documents_table import storable
from urlset.engine.duckdb import Engine
from urlset.engine.page_verdicts import with_verdicts
from urlset.model.finding import Finding
from urlset.net.urlparts import published_at, requested_at
from urlset.rules import registry
from urlset.rules.families import DEFAULT_LIMITS
from urlset.tables import (
    BROKEN_ANCHORS,
    COVERAGE,
    CRAWLED,
    CUTS,
    DOCUMENTS,
    EXTERNAL_LINKS,
    KEY_FILES,
    LINKED,
    LLMS_FILES,
    LLMS_LINKS,
    LLMS_PROBLEMS,
    LOG_CRAWLERS,
    LOG_SITEMAPS,
    LOG_URLS,
    MEDIA,
    PAGES,
    SERVED,
    SITE_FAULTS,
    STALE_LASTMODS,
    TWINS,
    Table,
)
from urlset.web.agents import DEFAULT_AGENTS
from urlset.web.robots_txt import Robots

NAMED = {"parent": "parent_id", "entry": "parent_ordinal"}
BODIES = {"entries", "index_entries", "document", "document_base64"}
WRAPPING = {"encoding", "gzip", "cut", "append", "append_base64"}
CONTENT_HASHES = {"content_hash", "content_hash_before"}
DOCUMENT_KEYS = {"robots"} | set(NAMED) | BODIES | WRAPPING | set(DOCUMENTS.column_names)


def repeated(text: str) -> str:
    """The text with every `«text*N»` replaced by N times the text, in each of which `№` is its number from 0."""

    def each(match: re.Match[str]) -> str:
        text, times = match[1], int(match[2])
        # Some cases repeat a space 50 million times.
        return "".join(text.replace("№", str(number)) for number in range(times)) if "№" in text else text * times

    return re.sub(r"«(.*?)\*(\d+)»", each, text, flags=re.DOTALL)


class CaseTables(NamedTuple):
    """The tables of a case.

    Attributes:
        documents: The rows of `documents`.
        chunk: The tables of the entries.
        run: The tables about the run as a whole.
    """

    documents: list[dict[str, Any]]
    chunk: dict[str, _core.Table]
    run: dict[str, _core.Table]


def combined(parts: Iterable[CaseTables]) -> CaseTables:
    """Several runs as one, whose pages have verdicts."""
    parts = list(parts)
    documents = [document for part in parts for document in part.documents]
    run = concatenate(part.run for part in parts)
    if "pages" in run:
        run["pages"] = judged(run["pages"])
    return CaseTables(documents, concatenate(part.chunk for part in parts), run)


def findings_in(tables: CaseTables, codes: Iterable[str]) -> list[Finding]:
    """What some rules find in a run."""
    with Engine(map(registry.rule, codes), {**DEFAULT_LIMITS, "now": datetime(2026, 1, 1, tzinfo=UTC)}) as engine:
        engine.add(tables.run)
        return [*engine.check(tables.chunk, tables.documents), *engine.finish(tables.documents)]


def run_documents(code: str, case: Mapping[str, Any], bytes_of: Callable[[dict[str, Any]], bytes]) -> list[Finding]:
    """What one rule finds in a run."""
    return findings_in(combined([tables_of(case, bytes_of)]), [code])


def tables_of(case: Mapping[str, Any], bytes_of: Callable[[dict[str, Any]], bytes], first: int = 0) -> CaseTables:
    """The tables of a run, whose documents are numbered from `first`; `combined` adds the verdicts of its pages."""
    agents: Sequence[str] = case.get("agents", DEFAULT_AGENTS)
    documents, batches, robots = [], [], {}
    run: list[Mapping[str, _core.Table]] = []
    for number, given in enumerate(_given(case), start=first):
        facts, tables = _read(number, given, bytes_of)
        documents.append(facts | _told(number, given, first))
        batches.append(tables)
        if "robots" in given:
            status = None if "error_kind" in given else given.get("http_status", 200)
            robots[number] = Robots.of_answer(status, repeated(given["robots"]).encode(), given["url"])
            run.append(robots[number].tables(number))
    if "cuts" in case:
        rows = [
            row | {name: row[name] + first for name in ("document_id", "duplicate_of") if name in row}
            for row in case["cuts"]
        ]
        run.append({"cuts": _core.Table.from_rows([(column.name, column.type) for column in CUTS.columns], rows)})
    if "stale_lastmods" in case:
        columns = [(column.name, column.type) for column in STALE_LASTMODS.columns]
        rows = [
            row | {name: row[name] + first for name in ("document_id",) if name in row}
            for row in case["stale_lastmods"]
        ]
        run.append({"stale_lastmods": _core.Table.from_rows(columns, rows)})
    chunk = concatenate(batches)
    if "pages" in case:
        columns = [(column.name, column.type) for column in PAGES.columns]
        run.append({"pages": _core.Table.from_rows(columns, _pages(case["pages"], chunk, first))})
    if "media" in case:
        columns = [(column.name, column.type) for column in MEDIA.columns]
        place = {"document_id": first, "ordinal": 0, "position": 0, "line": 3, "col": 5}
        run.append({"media": _core.Table.from_rows(columns, [place | row for row in case["media"]])})
    if "crawled" in case:
        columns = [(column.name, column.type) for column in CRAWLED.columns]
        rows = [
            {"page_hash": _core.page_hash(row["url"])} | _hashed({name: storable(value) for name, value in row.items()})
            for row in case["crawled"]
        ]
        run.append({"crawled": _core.Table.from_rows(columns, rows)})
    if "linked" in case:
        columns = [(column.name, column.type) for column in LINKED.columns]
        rows = [_linked(row, number, first) for number, row in enumerate(case["linked"])]
        run.append({"linked": _core.Table.from_rows(columns, rows)})
    of_site = (KEY_FILES, SITE_FAULTS, SERVED, LLMS_FILES, LLMS_PROBLEMS, LLMS_LINKS, TWINS)
    for table in (*of_site, EXTERNAL_LINKS, BROKEN_ANCHORS):
        columns = [(column.name, column.type) for column in table.columns]
        key = "ordinal" if table in of_site else "number"
        usual = {"urls": 1} if table is SERVED else {}
        if table.name in case:
            rows = [{"document_id": first, key: number, **usual, **row} for number, row in enumerate(case[table.name])]
            run.append({table.name: _core.Table.from_rows(columns, rows)})
    for table in (LOG_URLS, LOG_CRAWLERS, LOG_SITEMAPS):
        if table.name in case:
            columns = [(column.name, column.type) for column in table.columns]
            rows = [_logged(table, row, number, first) for number, row in enumerate(case[table.name])]
            run.append({table.name: _core.Table.from_rows(columns, rows)})
    if "coverage" in case:
        columns = [(column.name, column.type) for column in COVERAGE.columns]
        each = [row for given in case["coverage"] for row in [given] * given.get("times", 1)]
        rows = [_covered(row, number, first) for number, row in enumerate(each)]
        run.append({"coverage": _core.Table.from_rows(columns, rows)})
    sitemaps = [document for document in documents if document["document_id"] not in robots]
    closed = [each.blocked_documents(sitemaps, agents, number) for number, each in robots.items()]
    if "urls" in chunk:
        closed += [each.blocked_urls(chunk["urls"], agents, number) for number, each in robots.items()]
    if closed:
        chunk["blocked_urls"] = _core.Table.concat(closed)
    return CaseTables(documents, chunk, concatenate(run))


def judged(pages: _core.Table) -> _core.Table:
    """Rows of `pages` with their verdicts, as an audit stores them."""
    connection = _for_verdicts()
    connection.register("given", pages)
    try:
        return _core.Table.concat(list(batches(connection, with_verdicts("SELECT * FROM given"), 100_000)))
    finally:
        connection.unregister("given")


@cache
def _for_verdicts() -> duckdb.DuckDBPyConnection:
    """A database that stays open: many cases have a few pages each."""
    return connect({"threads": 1}, relations=True)


def _given(case: Mapping[str, Any]) -> list[dict[str, Any]]:
    if "repeat" not in case:
        return list(case["run"])
    (one,) = case["run"]
    return [one | {"url": one["url"].replace("«N»", str(number))} for number in range(case["repeat"])]


def _linked(given: Mapping[str, Any], number: int, first: int) -> dict[str, Any]:
    page = {"number": number, "document_id": first, "ordinal": 0, "line": 3, "col": 11, "url": "https://example.com/0"}
    links: dict[str, Any] = {"links": 1, "reached_from": 1, "followed": 1, "in_main": 1, "clicks": 1}
    links |= {"linked_from": "https://example.com/"}
    facts = {"is_listed": True, "is_home": False, "basis": "crawl", "status": 200, "is_indexable": True}
    row = page | links | facts | {"canonical_is_self": True, "needs_script": False} | dict(given)
    # By default, it is the only spelling of its page.
    alone: dict[str, Any] = {"page_hash": number, "page": number}
    row = alone | {"listed_as": row["url"] if row["is_listed"] else None} | row
    return _with_nulls(row)


def _logged(table: Table, given: Mapping[str, Any], number: int, first: int) -> dict[str, Any]:
    usual: dict[str, Any] = {"number": number, "document_id": first, "period_days": 30.9}
    usual["period"] = "2026-10-01 to 2026-10-31"
    last_at = 1_792_756_800_000_000
    if table is LOG_URLS:
        usual |= {"ordinal": 0, "line": 3, "col": 11, "url": "https://example.com/0", "site": "https://example.com"}
        usual |= {"section": "/", "is_listed": True, "is_page": True, "has_parameters": False, "days": 30.9}
        usual |= {"hits": 3, "good_hits": 3, "redirect_hits": 0, "search_hits": 3, "searched_at": last_at}
        usual |= {"verified_hits": 3, "error_hits": 0, "blocked_hits": 0}
    elif table is LOG_CRAWLERS:
        usual |= {"agent": "Googlebot", "operator": "Google", "purpose": "search", "hits": 3, "verified_hits": 3}
        usual |= {"impostor_hits": 0, "page_hits": 3, "wasted_hits": 0, "wasted_share": 0.0, "allowed_hits": 3}
        usual |= {"refused_hits": 0}
    else:
        usual |= {"url": "https://example.com/sitemap.xml", "engine": "Google", "hits": 3, "last_at": last_at}
    return _with_nulls(usual | dict(given))


def _with_nulls(row: Mapping[str, Any]) -> dict[str, Any]:
    # TOML has no null.
    return {name: None if value == "null" else value for name, value in row.items()}


def _covered(given: Mapping[str, Any], number: int, first: int) -> dict[str, Any]:
    place = {"number": number, "document_id": first, "ordinal": 0, "line": 3, "col": 11, "url": "https://example.com/0"}
    facts = {"is_listed": True, "engine": "google", "source": "url-inspection", "at": datetime(2026, 11, 2, tzinfo=UTC)}
    own = {name: None if value == "null" else value for name, value in given.items() if name in COVERAGE.column_names}
    row = place | facts | own
    hashed = {"page_hash": "url", "canonical_hash": "canonical", "user_canonical_hash": "user_canonical"}
    row |= {name: _core.page_hash(str(row[of])) for name, of in hashed.items() if row.get(of)}
    return {name: storable(value) for name, value in row.items()}


def _pages(given: Sequence[dict[str, Any]], chunk: Mapping[str, _core.Table], first: int) -> list[dict[str, Any]]:
    listed = {(row["document_id"], row["ordinal"]): row for row in chunk["urls"].to_dicts()}
    rows: list[dict[str, Any]] = []
    for one in given:
        for _ in range(one.get("times", 1)):
            place = {"document_id": first + one.get("document", 0), "ordinal": one.get("ordinal", len(rows))}
            entry = listed.get((place["document_id"], place["ordinal"]), {"loc": "https://example.com/unlisted"})
            taken = {name: entry.get(name) for name in ("loc_hash", "lastmod", "lastmod_at", "lastmod_precision")} | {
                "url": entry["loc"],
                "line": entry.get("loc_line"),
                "col": entry.get("loc_col"),
            }
            own = {name: value for name, value in one.items() if name in PAGES.column_names}
            # Another case of the same run has other texts.
            own |= {name: own[name] + first * 1_000 for name in CONTENT_HASHES & own.keys()}
            row = place | taken | {"page_hash": _core.page_hash(entry["loc"])} | own
            rows.append(_hashed({name: storable(value) for name, value in row.items()}))
    return rows


def _hashed(row: dict[str, Any]) -> dict[str, Any]:
    """A page with the hashes of the URLs that it names."""
    hashes: dict[str, Any] = {}
    if "canonical" in row:
        hashes["canonical_hash"] = _core.url_hash(row["canonical"])
    if "hreflang_urls" in row:
        hashes["hreflang_hashes"] = [_core.url_hash(url) for url in row["hreflang_urls"]]
    return hashes | row


def _read(
    number: int, given: dict[str, Any], bytes_of: Callable[[dict[str, Any]], bytes]
) -> tuple[dict[str, Any], dict[str, _core.Table]]:
    if not BODIES & given.keys():
        return ({"kind": "robots"} if "robots" in given else {}), {}
    reader = _core.Reader(bytes_of(given), document_id=number)
    tables = concatenate(list(reader))
    facts = reader.facts()
    return {name: facts[name] for name in facts.keys() & set(DOCUMENTS.column_names)}, tables


def _told(number: int, given: dict[str, Any], first: int) -> dict[str, Any]:
    """The columns of `documents` that fetching fills, and those that the case gives."""
    told = {NAMED.get(name, name): value for name, value in given.items()}
    told = {name: value for name, value in told.items() if name in DOCUMENTS.column_names and name not in BODIES}
    if "parent_id" in told:
        told["parent_id"] += first
    final_url = told.setdefault("final_url", given["url"])
    parts = urlsplit(final_url)
    if parts.scheme:
        told = published_at(final_url) | requested_at(given["url"]) | told
    return {"document_id": number} | told
