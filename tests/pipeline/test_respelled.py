"""Equal URLs in two spellings, as RFC 3986 has them, are one URL in comparisons, notices, look-ups, and alarms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from urlset import _core
from urlset.cli.main import main
from urlset.comparison.redirect_map import MappedSides, RedirectTable
from urlset.comparison.run_database import RunDatabase
from urlset.comparison.sides import open_sides
from urlset.comparison.url_changes import UrlChanges
from urlset.model.notification import Notice, NoticeKind
from urlset.monitor.store import MonitorStore
from urlset.net.trust import Trust
from urlset.options import DiffOptions
from urlset.stages.session import Session
from urlset.store.copies import copies_of
from urlset.store.file import Store
from urlset.store.notify_ledger import Ledger
from urlset.store.run import Run
from urlset.store.url_facts import url_facts

OPEN = '<{} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'

SPELLINGS = [
    ("https://example.com/", "https://example.com"),
    ("https://example.com/a", "HTTPS://EXAMPLE.com:443/%61"),
    ("https://example.com/%D8%A7", "https://example.com/%d8%a7"),
    ("https://bücher.example/é", "https://xn--bcher-kva.example/%C3%A9"),
    ("https://example.com/x/../~b", "https://example.com/%7Eb"),
]
OTHERS = [
    ("https://example.com/a", "https://example.com/a/"),
    ("https://example.com/a", "http://example.com/a"),
    ("https://example.com/a", "https://example.com/A"),
    ("https://example.com/a%2Fb", "https://example.com/a/b"),
]


def sitemap(path: Path, *urls: tuple[str, str]) -> str:
    entries = "".join(f"<url><loc>{url}</loc><lastmod>{lastmod}</lastmod></url>" for url, lastmod in urls)
    path.write_text(f"{OPEN.format('urlset')}{entries}</urlset>", "utf-8")
    return str(path)


def index(path: Path, *urls: str) -> str:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    path.write_text(f"{OPEN.format('sitemapindex')}{entries}</sitemapindex>", "utf-8")
    return str(path)


def compared(old: str, new: str, capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    main(["diff", old, new, "--format", "json", "--no-config", *arguments])
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_diff_compares_the_dates_of_respelled_urls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As it pairs their spellings, which stay among the URLs that it lists."""
    stay = ("https://example.com/stays", "2026-01-01")
    old = sitemap(tmp_path / "old.xml", stay, *((one, "2026-01-01") for one, _ in SPELLINGS))
    new = sitemap(tmp_path / "new.xml", stay, *((other, "2026-02-01") for _, other in SPELLINGS))
    result = compared(old, new, capsys)
    assert result["urls"]["lastmod"]["count"] == len(SPELLINGS), result["urls"]
    assert result["urls"]["respelled"]["count"] == len(SPELLINGS)
    others = sitemap(tmp_path / "others.xml", *((other, "2026-02-01") for _, other in OTHERS))
    before = sitemap(tmp_path / "before.xml", *dict.fromkeys((one, "2026-01-01") for one, _ in OTHERS))
    assert compared(before, others, capsys)["urls"]["lastmod"]["count"] == 0


def test_diff_of_indexes_compares_children_as_urls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = index(tmp_path / "old.xml", *(one for one, _ in SPELLINGS))
    new = index(tmp_path / "new.xml", *(other for _, other in SPELLINGS), "https://example.com/a/")
    result = compared(old, new, capsys)
    assert (result["sitemaps"]["added"]["count"], result["sitemaps"]["removed"]["count"]) == (1, 0)


def test_a_redirect_map_names_listed_urls_in_any_spelling(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = sitemap(tmp_path / "old.xml", *((one, "2026-01-01") for one, _ in SPELLINGS))
    new = sitemap(tmp_path / "new.xml", *((one, "2026-01-01") for one, _ in SPELLINGS))
    rows = "".join(f"{other},{SPELLINGS[0][1]}\n" for _, other in SPELLINGS)
    (tmp_path / "map.csv").write_text(f"from,to\n{rows}{SPELLINGS[1][0]},{SPELLINGS[0][0]}\n", "utf-8")
    options = DiffOptions(rules=False)
    with Session(options, Trust()) as session, open_sides(old, new, options, session) as sides:
        mapped = MappedSides(sides.database, sides.before.run, sides.after.run, 10)
        mapped.load(RedirectTable(tmp_path / "map.csv", None))
        assert mapped.mismatches() == (0, len(SPELLINGS) - 1, 0)
        assert mapped.repeated == 1


class Stored(NamedTuple):
    path: Path
    before: int
    after: int


@pytest.fixture
def stored(tmp_path: Path) -> Stored:
    """Two runs of a site that spells all URLs in another way the second time."""
    path = tmp_path / "s.duckdb"
    with Store.create(path) as store:
        for position in (0, 1):
            run = Run.begin(store, ["https://example.com/"], {})
            for ordinal, pair in enumerate(SPELLINGS):
                url = pair[position]
                values = [url, _core.url_hash(url), _core.page_hash(url)]
                store.connection.execute(
                    "INSERT INTO urls (run_id, document_id, ordinal, loc, loc_hash, loc_length, lastmod) "
                    f"VALUES ({run.run_id}, 0, {ordinal}, $1, $2, 10, '2026-01-01')",
                    values[:2],
                )
                store.connection.execute(
                    "INSERT INTO pages (run_id, document_id, ordinal, url, loc_hash, page_hash, status, content_hash, "
                    f"is_indexable) VALUES ({run.run_id}, 0, {ordinal}, $1, $2, $3, 200, 7, {position == 1})",
                    values,
                )
                store.connection.execute(
                    "INSERT INTO links (run_id, from_url, from_hash, to_url, to_hash) "
                    f"VALUES ({run.run_id}, 'https://example.com/from', 1, $1, $2)",
                    [url, _core.page_hash(url)],
                )
                store.connection.execute(
                    'INSERT INTO findings (run_id, document_id, code, severity, message, example, url, "count") '
                    f"VALUES ({run.run_id}, 0, 'PGE001', 'error', 'm', 1, $1, 1)",
                    [url],
                )
            name = ("HTTPS://EXAMPLE.com:443/s.xml", "https://example.com/%73.xml")[position]
            store.connection.execute(
                "INSERT INTO documents (run_id, document_id, url, final_url, kind, sha256, http_status, fetched_at) "
                f"VALUES ({run.run_id}, 0, $1, $1, 'urlset', $2, 200, '2026-01-0{position + 1}')",
                [name, str(position)],
            )
            store.connection.execute(f"UPDATE runs SET finished_at = started_at WHERE run_id = {run.run_id}")
        store.connection.commit()
    return Stored(path, 1, 2)


def test_notify_sends_no_url_that_is_only_respelled(stored: Stored) -> None:
    with RunDatabase([stored.path]) as database:
        runs = database.attach(stored.path)
        changes = UrlChanges(database, runs.run(stored.before), runs.run(stored.after))
        assert list(changes.notices()) == []
        assert changes.find_removed() == 0
        assert changes.unsent_counts() == {}


def test_notify_sends_urls_that_only_look_alike(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    with Store.create(path) as store:
        for position in (0, 1):
            run = Run.begin(store, ["https://example.com/"], {})
            for pair in OTHERS:
                store.connection.execute(
                    "INSERT INTO urls (run_id, document_id, loc, loc_hash, loc_length) "
                    f"VALUES ({run.run_id}, 0, $1, $2, 10)",
                    [pair[position], _core.url_hash(pair[position])],
                )
        store.connection.commit()
    with RunDatabase([path]) as database:
        runs = database.attach(path)
        changes = UrlChanges(database, runs.run(1), runs.run(2))
        assert sorted(notice.url for notice in changes.notices()) == sorted(other for _, other in OTHERS)
        assert changes.find_removed() == len({one for one, _ in OTHERS})


def test_the_ledger_knows_accepted_urls_in_any_spelling(tmp_path: Path) -> None:
    def planned(ledger: Ledger, urls: list[str]) -> int:
        return ledger.plan(("example.com", Notice(url, NoticeKind.GIVEN, "v1")) for url in urls)

    path = tmp_path / "ledger.duckdb"
    with Ledger(path, ["https://a.example"]) as ledger:
        assert planned(ledger, [url for pair in SPELLINGS for url in pair]) == 0
        [(notices, _)] = ledger.hosts()
        assert notices.urls == len(SPELLINGS)
        ledger.accept("example.com", 0, len(SPELLINGS), "https://a.example", 200)
    with Ledger(path, ["https://a.example"]) as ledger:
        assert planned(ledger, [*(other for _, other in SPELLINGS), "https://example.com/a/"]) == len(SPELLINGS)
        assert [notice.url for notice in ledger.examples(9)] == ["https://example.com/a/"]


@pytest.mark.parametrize("asked", [0, 1])
def test_a_url_is_looked_up_in_any_spelling(stored: Stored, asked: int) -> None:
    with Store.read(stored.path) as store:
        for pair in SPELLINGS:
            [facts] = url_facts(store, 1, pair[asked])
            assert len(facts.places) == len(facts.findings) == 1, pair
            assert facts.linked_from == ("https://example.com/from",), pair


def test_copies_of_a_sitemap_are_found_in_any_spelling(stored: Stored) -> None:
    with Store.read(stored.path) as store:
        found = copies_of(store, ["https://example.com/s.xml", "https://example.com/s.xml/"])
    assert {url: [copy.sha256 for copy in copies] for url, copies in found.items()} == {
        "https://example.com/s.xml": ["0", "1"]
    }


def test_monitor_sees_that_respelled_pages_recovered(stored: Stored) -> None:
    with Store.create(stored.path) as store:
        monitor = MonitorStore(store)
        urls = [one for one, _ in SPELLINGS]
        assert monitor.recovered_pages(2, urls, is_whole=False) == set(urls)
        assert monitor.recovered_pages(1, [other for _, other in SPELLINGS], is_whole=True) == set()
