"""Create stores of fictional sites of any size, to view and measure their reports.

SQL generates the rows, which takes seconds, while auditing such a site would take hours. The site is a shop in four
languages: sections of very different sizes, redirects, broken pages, and findings of many rules.

Usage: python -m bench.large_store FILE [--urls N] [--findings N] [--runs N]
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.store.file import Store
    from urlset.store.results import Results
    from urlset.store.run import Run

SITE = "https://www.example.com"
MIN_EXAMPLES = 10
"""The least number of examples per finding, which is urlset's default; more if few documents have many findings."""
RULES_BROKEN = 50
BEGAN = datetime(2026, 11, 1, 8, 30, tzinfo=UTC)
BETWEEN_RUNS = timedelta(days=7)
CODES = ("en", "de", "fr", "ja")
AGENTS = ("Googlebot", "Bingbot", "GPTBot", "OAI-SearchBot", "ClaudeBot", "CCBot")

# The cube makes a few sections large and most of them small.
_URLS = """
CREATE OR REPLACE TEMP TABLE made AS
SELECT n, section, n // {each} + 2 AS document_id, n % {each} AS ordinal,
    '/' || section || '/' || part || '/p' || n AS path, url_hash('{site}' || path) AS loc_hash,
    TIMESTAMP '2026-10-31' - to_days((pow(hash(n, 1) % 1000 / 1000.0, 3) * 1500)::INTEGER) AS changed
FROM (
    SELECT range AS n,
        ['shop', 'blog', 'help', 'de', 'fr', 'ja', 'brands', 'stores', 'events', 'press', 'jobs', 'about', 'legal',
        'feeds', 'tags', 'authors', 'guides', 'deals', 'gifts', 'archive'][1 + (pow(hash(range, 2) % 1000 / 1000.0, 3)
        * 20)::INTEGER % 20] AS section,
        ['chairs', 'tables', 'lamps', 'beds', 'sofas', 'shelves'][1 + (hash(range, 3) % 6)::INTEGER] AS part
    FROM range({urls})
)
"""

_STATEMENTS = (
    """
    INSERT INTO urls (run_id, document_id, ordinal, line, col, loc, loc_line, loc_col, loc_length, loc_hash, scheme,
        host, path, lastmod, lastmod_at, lastmod_precision)
    SELECT {run}, document_id, ordinal, ordinal + 3, 3, '{site}' || path, ordinal + 3, 8, length('{site}' || path),
        loc_hash, 'https', 'www.example.com', path,
        CASE WHEN n % 50 > 0 THEN strftime(changed, '%Y-%m-%d') END, CASE WHEN n % 50 > 0 THEN changed END,
        CASE WHEN n % 50 > 0 THEN 'day' END
    FROM made
    """,
    """
    INSERT INTO pages (run_id, document_id, ordinal, line, col, url, loc_hash, lastmod_at, method, status, hops,
        hop_statuses, final_url, error_kind, error, noindex, canonical, canonical_is_self, canonical_hash, words,
        content_hash, content_type, elapsed_ms, page_hash, final_hash)
    SELECT {run}, document_id, ordinal, ordinal + 3, 8, '{site}' || path, loc_hash, changed, 'GET',
        CASE WHEN hash(n) % 97 = 0 THEN 404 WHEN hash(n) % 389 = 0 THEN 500 WHEN hash(n) % 499 > 0 THEN 200 END,
        CASE WHEN hash(n) % 31 = 0 THEN ['{site}/moved/' || n] END, CASE WHEN hash(n) % 31 = 0 THEN [301] END,
        CASE WHEN hash(n) % 31 = 0 THEN '{site}/moved/' || n ELSE '{site}' || path END,
        CASE WHEN hash(n) % 97 > 0 AND hash(n) % 389 > 0 AND hash(n) % 499 = 0 THEN 'refused' END,
        CASE WHEN hash(n) % 97 > 0 AND hash(n) % 389 > 0 AND hash(n) % 499 = 0 THEN 'the connection was refused' END,
        CASE WHEN hash(n) % 71 = 0 THEN 'meta robots: noindex' END,
        CASE WHEN hash(n) % 83 = 0 THEN '{site}/' || section || '/' END, hash(n) % 83 > 0,
        url_hash(CASE WHEN hash(n) % 83 = 0 THEN '{site}/' || section || '/' END), 300,
        (hash(CASE WHEN hash(n) % 211 = 0 THEN n % 1000 ELSE n END, 5) // 2)::BIGINT, 'text/html', 12.5,
        page_hash('{site}' || path),
        page_hash(CASE WHEN hash(n) % 97 > 0 AND hash(n) % 389 > 0 AND hash(n) % 499 = 0 THEN NULL
            WHEN hash(n) % 31 = 0 THEN '{site}/moved/' || n ELSE '{site}' || path END)
    FROM made WHERE n % 5 = 0
    """,
    """
    INSERT INTO alternates (run_id, document_id, ordinal, position, line, col, rel, hreflang, href, href_hash)
    SELECT {run}, document_id, ordinal, position, ordinal + 3, 60, 'alternate', code, '{site}/' || code || path,
        url_hash('{site}/' || code || path)
    FROM made, (SELECT unnest({codes}) AS code, unnest(range(len({codes}))) AS position) WHERE n % 10 = 0
    """,
    """
    INSERT INTO link_sets (run_id, document_id, ordinal, line, col, loc_hash, links, targets, self_links, default_links,
        repeated_codes, targets_hash, default_hash, set_hash)
    SELECT {run}, document_id, ordinal, ordinal + 3, 3, loc_hash, len({codes}), len({codes}), 1, 0, 0,
        (hash(path, 1) // 2)::BIGINT, 0, (hash(n // 40) // 2)::BIGINT
    FROM made WHERE n % 10 = 0
    """,
    """
    INSERT INTO access (run_id, document_id, host, section, agent, urls, blocked)
    SELECT {run}, 0, 'www.example.com', '/' || section || '/', agent, count(*),
        CASE WHEN agent IN ('GPTBot', 'CCBot') OR section = 'legal' THEN count(*) ELSE 0 END
    FROM made, (SELECT unnest({agents}) AS agent) GROUP BY section, agent
    """,
    # The documents break the rules in turn. From run to run, one rule disappears and another one appears, and in some
    # documents the number of violations grows; some rules are broken much more often than others.
    """
    INSERT INTO findings (run_id, code, severity, document_id, document, count, example, ordinal, line, col, url, field,
        value, message, fingerprint)
    SELECT {run}, code, severity, document_id, '{site}/sitemaps/' || (document_id - 2) || '.xml.gz',
        {examples} + hash(code, document_id) % (1 + {each} // (1 + number % 23))
            + CASE WHEN hash(code, document_id) % 40 = 0 THEN 5 * {run} ELSE 0 END,
        example, made.ordinal, made.ordinal + 3, 8, '{site}' || path, field, 'value ' || row,
        message || ', at place ' || row, lpad(to_hex(hash(code, document_id, example)), 16, '0')
    FROM (
        SELECT range AS row, range // {examples} % {documents} + 2 AS document_id, range % {examples} + 1 AS example,
            (range // {examples} // {documents} + {run}) * 7 AS turn, hash(range, 4) % {each} AS ordinal
        FROM range({findings})
    ) JOIN rules ON number = turn % (SELECT count(*) FROM rules) JOIN made USING (document_id, ordinal)
    """,
)


def make(path: Path, urls: int, findings: int, runs: int = 1) -> None:
    """Create a store with this number of URLs and rows of findings in each run.

    Args:
        path: The file; an existing one is replaced.
        urls: Number of URLs, in documents of 5,000 each, but at least two documents.
        findings: Number of examples of findings.
        runs: Number of runs, a week apart.
    """
    from urlset import _core
    from urlset.store.file import Store
    from urlset.store.page_rows import judge_pages
    from urlset.store.results import keep_results
    from urlset.store.run import Run

    path.unlink(missing_ok=True)
    documents = max(2, urls // 5_000)
    each = urls // documents
    examples = max(MIN_EXAMPLES, findings // (documents * RULES_BROKEN))
    with Store.create(path) as store:
        _make_rules(store)
        for name in ("url_hash", "page_hash"):
            store.connection.create_function(name, getattr(_core, name), ["VARCHAR"], "BIGINT")
        store.connection.execute(_URLS.format(urls=documents * each, each=each, site=SITE))
        for number in range(1, runs + 1):
            began = BEGAN + number * BETWEEN_RUNS
            run = Run.begin(store, [SITE], {"pages": True}, began)
            run.add_documents(_documents(documents, each))
            values = {
                "run": number, "site": SITE, "codes": list(CODES), "agents": list(AGENTS), "examples": examples,
                "documents": documents, "findings": findings, "each": each,
            }  # fmt: skip
            with run.writing() as connection:
                for statement in _STATEMENTS:
                    connection.execute(statement.format(**values))
            judge_pages(run)
            keep_results(run, _results(store, number))
            run.finish(_numbers(store, run, documents + 1), began + timedelta(minutes=42))


def _make_rules(store: Store) -> None:
    """Create a table of the rules with the columns that findings take from them."""
    from urlset.rules import registry

    rows = [
        (number, one.code, one.severity.value, one.field, one.message)
        for number, one in enumerate(registry.all_rules())
    ]
    store.connection.execute(
        "CREATE TEMP TABLE rules (number INTEGER, code VARCHAR, severity VARCHAR, field VARCHAR, message VARCHAR)"
    )
    store.connection.executemany("INSERT INTO rules VALUES ($1, $2, $3, $4, $5)", rows)


def _documents(count: int, entries: int) -> list[dict[str, object]]:
    """Return rows of `documents`: robots.txt, the index that it names, and the sitemaps that the index lists."""
    common: dict[str, object] = {
        "http_status": 200, "host": "www.example.com", "redirects": [], "redirect_statuses": [], "encoding": "UTF-8",
        "complete": True, "images": 0, "videos": 0, "news": 0, "alternates": 0, "has_bom": False, "elapsed_ms": 31.5,
        "fetched_at": BEGAN,
    }  # fmt: skip

    def row(number: int, path: str, kind: str, **facts: object) -> dict[str, object]:
        url = SITE + path
        return {**common, "document_id": number, "url": url, "final_url": url, "site_path": path, "kind": kind, **facts}

    size = entries * 110
    children = (
        row(
            number + 2, f"/sitemaps/{number}.xml.gz", "urlset", entries=entries, parent_id=1, parent_ordinal=number,
            depth=1, found_by="index", bytes=size, wire_bytes=size // 9, compression="gzip", well_formed=True,
            lastmod_missing=entries // 50, lastmod_oldest=BEGAN - timedelta(days=1_500), lastmod_newest=BEGAN,
        )
        for number in range(count)
    )  # fmt: skip
    return [
        row(0, "/robots.txt", "robots", entries=0, depth=0, found_by="given", bytes=240, wire_bytes=240),
        row(
            1, "/sitemap.xml", "sitemapindex", entries=count, parent_id=0, depth=0, found_by="robots",
            bytes=count * 90, wire_bytes=count * 90, compression="none", well_formed=True,
        ),
        *children,
    ]  # fmt: skip


def _results(store: Store, run_id: int) -> Results:
    """Return what an audit would find out about the pages and robots.txt."""
    from urlset.model.audit import AgentAccess, PageCounts, Share
    from urlset.store.probed import recount
    from urlset.store.results import NO_RESULTS, StoredAccess
    from urlset.web.agents import KNOWN_AGENTS

    ask = store.connection.execute
    [(listed, fetched)] = ask(
        "SELECT (SELECT count(*) FROM urls WHERE run_id = $1), (SELECT count(*) FROM pages WHERE run_id = $1)", [run_id]
    ).fetchall()
    closed = ask(
        "SELECT agent, host || section, urls, blocked FROM access WHERE run_id = $1 ORDER BY blocked DESC, section",
        [run_id],
    ).fetchall()
    agents = [
        AgentAccess(
            known,
            sum(urls for agent, _, urls, _ in closed if agent == known.name),
            sum(blocked for agent, _, _, blocked in closed if agent == known.name),
            tuple((place, urls, shut) for agent, place, urls, shut in closed if agent == known.name and shut),
        )
        for known in KNOWN_AGENTS
        if known.name in AGENTS
    ]
    pages = PageCounts(listed, fetched, fetched, 0, None, {}, Share.of(0, fetched, listed))
    counted = recount(store, run_id, pages)
    return structs.replace(NO_RESULTS, pages=counted, agents=tuple(map(StoredAccess.of, agents)))


def _numbers(store: Store, run: Run, documents: int) -> dict[str, int]:
    """Return the totals for the row of the run."""
    ask = store.connection.execute
    [(urls,)] = ask("SELECT count(*) FROM urls WHERE run_id = $1", [run.run_id]).fetchall()
    [(pages,)] = ask("SELECT count(*) FROM pages WHERE run_id = $1", [run.run_id]).fetchall()
    found = "SELECT severity, count(DISTINCT (code, document_id)) FROM findings WHERE run_id = $1 GROUP BY severity"
    counts = dict(ask(found, [run.run_id]).fetchall())
    severities = {f"{name}s": counts.get(name, 0) for name in ("error", "warning", "info")}
    return {"documents": documents, "urls": urls, "pages": pages, **severities}


def main(arguments: Sequence[str] | None = None) -> int:
    """Create the requested store."""
    parser = argparse.ArgumentParser(description="Create a store of a fictional site to view its report.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--findings", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=2)
    given = parser.parse_args(arguments)
    make(given.file, given.urls, given.findings, given.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
