"""`lastmod`: each verdict on a date, sums, thresholds, formats, crawlers, and a site from end to end."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, ClassVar

import duckdb
import pytest
from jsonschema import Draft202012Validator
from tests.loopback import served

from urlset import _core, api
from urlset.cli.main import main
from urlset.errors import InputError
from urlset.model.lastmod import MIN_COMPARABLE, DateTrust
from urlset.report.json_schema import schema as schema_of
from urlset.store.file import Store
from urlset.store.run import Run

SCHEMA = schema_of("lastmod")
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
MAY, JUNE_1 = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)
PAGE = {"status": 200, "words": 100}
PROOF = {"proof_commit": "4a3c711343a1", "page_modified_at": datetime(2026, 5, 4, 9, tzinfo=UTC)}


def day(number: int) -> datetime:
    return MAY + timedelta(days=number)


VERDICTS: list[tuple[str, dict[str, Any], str]] = [
    ("no page date, no earlier run", {}, "unknown"),
    ("the page's own date agrees", {"page_modified_at": day(3)}, "true"),
    ("the page's own date is within a day", {"page_modified_at": day(2)}, "true"),
    ("the page's own date is older", {"page_modified_at": day(0)}, "inflated"),
    ("the page's own date is newer", {"page_modified_at": day(20)}, "frozen"),
    ("date and content changed", {"lastmod_at_before": day(0), "content_hash_before": 2}, "true"),
    ("only the date changed", {"lastmod_at_before": day(0), "content_hash_before": 1}, "inflated"),
    ("only the content changed", {"lastmod_at_before": day(3), "content_hash_before": 2}, "frozen"),
    ("nothing changed", {"lastmod_at_before": day(3), "content_hash_before": 1}, "unknown"),
    ("content of a thin page changed", {"lastmod_at_before": day(3), "content_hash_before": 2, "words": 19}, "unknown"),
    (
        "only the date changed, and the page's own date with it",
        {"lastmod_at_before": day(0), "content_hash_before": 1, "page_modified_at": day(3)},
        "inflated",
    ),
    ("a commit proves a date that moved", {"lastmod_at_before": day(0), "content_hash_before": 1, **PROOF}, "true"),
    ("a commit proves a date that stayed", {"lastmod_at_before": day(3), "content_hash_before": 2, **PROOF}, "true"),
    (
        "a commit denies a date that moved with the content",
        {"lastmod_at_before": day(0), "content_hash_before": 2, **PROOF, "page_modified_at": day(0)},
        "inflated",
    ),
    ("a commit is later than the month of a date", {"lastmod": "2026-04", **PROOF}, "frozen"),
    ("an error page", {"status": 404, "page_modified_at": day(3)}, "unknown"),
    (
        "a date in the future",
        {"lastmod": "2026-07-01", "page_modified_at": day(61)},
        "inflated",
    ),
    ("a month that the page's date is in", {"lastmod": "2026-05", "page_modified_at": day(20)}, "true"),
    ("a month before the page's date", {"lastmod": "2026-03", "page_modified_at": day(20)}, "frozen"),
    ("a month after the page's date", {"lastmod": "2026-05", "page_modified_at": day(-40)}, "unknown"),
    ("a year that the page's date is in", {"lastmod": "2026", "page_modified_at": day(20)}, "true"),
]


def kept(path: Path, *sitemaps: list[tuple[str | None, dict[str, Any] | None]]) -> Path:
    """A store with a run: sitemaps with a lastmod and the page of each entry, which may not have been fetched."""
    with Store.create(path) as store:
        run = Run.begin(store, ["https://example.com"], {}, now=NOW)
        documents, fetched = [], 0
        for number, entries in enumerate(sitemaps):
            text = "".join(
                f"<url><loc>https://example.com/{number}/{place}</loc>"
                f"{'' if lastmod is None else f'<lastmod>{lastmod}</lastmod>'}</url>"
                for place, (lastmod, _) in enumerate(entries)
            )
            document = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{text}</urlset>'
            reader = _core.Reader(document.encode(), document_id=number)
            batches = list(reader)
            url = f"https://example.com/{number}.xml"
            known = reader.facts()
            names = ("kind", "entries", "lastmod_missing", "lastmod_oldest", "lastmod_newest", "news")
            place = {"document_id": number, "url": url, "host": "example.com"}
            documents.append(place | {name: known[name] for name in names})
            pages = []
            for batch in batches:
                run.add(batch)
                for row, (_, page) in zip(batch["urls"].to_dicts(), entries, strict=True):
                    if page is None:
                        continue
                    fetched += 1
                    own = {name: row[name] for name in ("lastmod", "lastmod_at", "lastmod_precision", "loc_hash")}
                    entry = {"document_id": number, "ordinal": row["ordinal"], "url": row["loc"]}
                    page_hash = _core.page_hash(row["loc"])
                    given = {name: value for name, value in page.items() if name != "lastmod"}
                    pages.append(entry | own | {"content_hash": 1, "page_hash": page_hash} | PAGE | given)
            if pages:
                run.add_rows("pages", pages)
        run.add_documents(documents)
        run.finish({"documents": len(documents), "urls": 0, "pages": fetched})
    return path


def counts(dates: DateTrust) -> list[tuple[int, int, int, int]]:
    return [(one.true, one.inflated, one.frozen, one.unknown) for one in dates.sitemaps]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("about", "page", "verdict"), VERDICTS, ids=[about for about, _, _ in VERDICTS])
def test_a_verdict(about: str, page: dict[str, Any], verdict: str, tmp_path: Path) -> None:
    dates = api.lastmod(kept(tmp_path / "a.duckdb", [(page.get("lastmod", "2026-05-04"), page)]))
    total = dates.total
    found = [name for name in ("true", "inflated", "frozen", "unknown") if getattr(total, name)]
    assert (about, found) == (about, [verdict])


def test_entries_without_a_date_and_pages_that_were_not_fetched(tmp_path: Path) -> None:
    entries = [(None, {}), ("soon", {}), ("2026-05-04", None), ("2026-05-04", {"page_modified_at": day(3)})]
    [one] = api.lastmod(kept(tmp_path / "a.duckdb", entries)).sitemaps
    assert (one.entries, one.absent, one.invalid, one.unknown, one.true, one.trust) == (4, 1, 1, 1, 1, None)


def test_the_time_of_the_request_is_the_date_of_no_page(tmp_path: Path) -> None:
    entries: list[tuple[str | None, dict[str, Any] | None]] = [("2026-06-01T11:59:00Z", None)] * 40
    [one] = api.lastmod(kept(tmp_path / "a.duckdb", entries)).sitemaps
    assert (one.inflated, one.unknown, one.trust) == (40, 0, 0.0)


TRUE: tuple[str | None, dict[str, Any] | None] = ("2026-05-04", {"page_modified_at": day(3)})
FROZEN: tuple[str | None, dict[str, Any] | None] = ("2026-05-04", {"page_modified_at": day(20)})


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("sitemaps", "least", "code"),
    [
        ([[TRUE] * 27 + [FROZEN] * 3], "0.9", 0),
        ([[TRUE] * 26 + [FROZEN] * 4], "0.9", 1),
        ([[TRUE] * 26 + [FROZEN] * 4], None, 0),
        ([[TRUE] * 25 + [FROZEN] * 4], "0.9", 0),
        ([[TRUE] * 300, [FROZEN] * 30], "0.9", 1),
        ([[TRUE] * 300, [FROZEN] * 29], "0.9", 0),
        ([[TRUE] * 10, [FROZEN] * 20], "0.9", 1),
    ],
)
def test_exit_code(
    sitemaps: list[Any], least: str | None, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = kept(tmp_path / "a.duckdb", *sitemaps)
    assert main(["lastmod", str(path), *([] if least is None else ["--min-trust", least])]) == code
    few = min(map(len, sitemaps)) < MIN_COMPARABLE
    assert ("not enough to tell" in capsys.readouterr().out) == few


def test_text(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kept(Path("a.duckdb"), [TRUE] * 29 + [FROZEN] * 2, [TRUE, (None, None)])
    assert main(["lastmod", "a.duckdb"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "https://example.com/0.xml",
        "  31 URLs",
        "  93.5% true of 31 comparable pages",
        "  29 true, 0 inflated, 2 frozen, 0 unknown",
        "",
        "https://example.com/1.xml",
        "  2 URLs, 1 without lastmod",
        "  not enough to tell: 1 comparable page of at least 30",
        "  1 true, 0 inflated, 0 frozen, 0 unknown",
        "",
        "All 2 sitemaps",
        "  33 URLs, 1 without lastmod",
        "  93.7% true of 32 comparable pages",
        "  30 true, 0 inflated, 2 frozen, 0 unknown",
        "",
        "Based on 32 fetched pages (run 1 in a.duckdb).",
        "There is no earlier run, so only the pages' own dates were compared; audit the site again later.",
    ]
    kept(Path("b.duckdb"), [TRUE])
    assert main(["lastmod", "b.duckdb"]) == 0
    assert "All 1" not in capsys.readouterr().out


def test_json_and_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(kept(tmp_path / "a.duckdb", [TRUE] * 29 + [FROZEN] * 2, [TRUE]))
    assert main(["lastmod", path, "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMA).validate(printed)
    assert [one["trust"] for one in printed["sitemaps"]] == [29 / 31, None]
    assert printed["total"]["comparable"] == 32
    assert main(["lastmod", f"{path}@1", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["sitemap"], row["true"], row["frozen"]) for row in rows] == [
        ("https://example.com/0.xml", "29", "2"),
        ("https://example.com/1.xml", "1", "0"),
    ]
    assert rows[1]["trust"] == ""


def test_an_entry_in_two_sitemaps_has_one_verdict_for_the_same_date(tmp_path: Path) -> None:
    path = kept(tmp_path / "a.duckdb", [TRUE], [("2026-05-04", None), ("2026-05-05", None)])
    with duckdb.connect(str(path)) as store:
        store.execute("UPDATE urls SET loc = p.url, loc_hash = p.loc_hash FROM pages AS p WHERE urls.document_id = 1")
    assert counts(api.lastmod(path)) == [(1, 0, 0, 0), (1, 0, 0, 1)]


def test_crawlers_that_follow(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = kept(tmp_path / "a.duckdb", [("2026-05-10", {}), ("2026-05-10", {}), ("2026-05-30", {}), ("2026-01-01", {})])
    hashes = [_core.page_hash(f"https://example.com/0/{place}") for place in range(4)]
    with duckdb.connect(str(path)) as store:
        store.execute("DROP TABLE IF EXISTS crawls")
        columns = "page_hash BIGINT, agent VARCHAR, verdict VARCHAR, first_at TIMESTAMP, last_at TIMESTAMP"
        store.execute(f"CREATE TABLE crawls ({columns})")
    assert api.lastmod(path).crawlers == (), "a table without rows"
    with duckdb.connect(str(path)) as store:
        store.executemany(
            "INSERT INTO crawls VALUES (?, ?, ?, ?, ?)",
            [
                (hashes[0], "Googlebot", "verified", "2026-05-01", "2026-05-20"),
                (hashes[1], "Googlebot", "unverified", "2026-05-02", "2026-05-09"),
                (hashes[1], "Googlebot", "impostor", "2026-05-02", "2026-05-30"),
                (hashes[2], "Googlebot", "verified", "2026-05-02", "2026-05-02"),
                (0, "Bingbot", "verified", "2026-05-01", "2026-05-30"),
            ],
        )
    [one] = api.lastmod(path).crawlers
    assert (one.agent, one.changed, one.crawled) == ("Googlebot", 2, 1)
    assert main(["lastmod", str(path)]) == 0
    assert "  Googlebot: 1 of 2 pages" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nothere.duckdb"], 3, "nothere.duckdb: no such store"),
        (["a.duckdb@2"], 3, "no run 2 in the store"),
        (["a.duckdb", "--sample", "3"], 2, "--sample has no effect on a run that is stored"),
        (["a.duckdb", "--min-trust", "90"], 2, "--min-trust"),
        (["nothere.xml", "--no-store"], 3, "nothere.xml: no such file"),
    ],
)
def test_errors(
    arguments: list[str],
    code: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    kept(Path("a.duckdb"), [TRUE])
    assert main(["lastmod", *arguments]) == code
    assert words in capsys.readouterr().err


def test_a_document_that_could_not_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = kept(tmp_path / "a.duckdb", [TRUE], [TRUE])
    with duckdb.connect(str(path)) as store:
        store.execute("UPDATE documents SET error = 'returned HTTP 404 Not Found' WHERE document_id = 1")
    assert main(["lastmod", str(path), "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert "https://example.com/1.xml: returned HTTP 404 Not Found" in captured.err
    printed = json.loads(captured.out)
    Draft202012Validator(SCHEMA).validate(printed)
    assert (len(printed["sitemaps"]), len(printed["missing"]), printed["unreadable"]) == (1, 1, [])


def test_an_unfinished_run(tmp_path: Path) -> None:
    path = kept(tmp_path / "a.duckdb", [TRUE])
    with Store.create(path) as store:
        Run.begin(store, ["https://example.com"], {}).commit()
    with pytest.raises(InputError, match="run 2 is unfinished"):
        api.lastmod(f"{path}@2")
    assert api.lastmod(path).run_id == 1


class Site(BaseHTTPRequestHandler):
    """A site of 40 pages, whose dates and texts the class is told."""

    pages = 40
    date = "2026-05-04"
    words: ClassVar[dict[int, str]] = {}

    def do_GET(self) -> None:
        host = f"http://{self.headers['Host']}"
        if self.path == "/sitemap.xml":
            urls = "".join(f"<url><loc>{host}/{n}</loc><lastmod>{self.date}</lastmod></url>" for n in range(self.pages))
            kind, body = (
                "application/xml",
                f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>',
            )
        elif self.path[1:].isdecimal():
            number = int(self.path[1:])
            kind, body = "text/html", f"<p>{self.words.get(number, f'page {number} ' * 20)}"
        else:
            kind, body = "", ""
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def do_HEAD(self) -> None:
        self.do_GET()


@pytest.fixture
def site() -> Iterator[str]:
    with served(Site) as origin:
        yield origin


@pytest.mark.long("slow cases")
def test_a_site_that_is_audited_twice(site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "a.duckdb"
    given: dict[str, Any] = {"store": store, "cache": False, "retries": 0}
    first = api.lastmod(site, **given)
    assert (first.run_id, first.earlier_run, first.pages) == (1, None, 40)
    # A date that all pages have is true on a new site.
    assert (first.total.inflated, first.total.unknown, first.total.trust) == (0, 40, None)
    assert [one.rules for one in first.sitemaps] == [("MOD008",)]
    monkeypatch.setattr(Site, "date", "2026-05-20")
    monkeypatch.setattr(Site, "words", dict.fromkeys(range(10), "another text of this page " * 10))
    second = api.lastmod(site, **given)
    assert (second.run_id, second.earlier_run) == (2, 1)
    assert (second.total.true, second.total.inflated, second.total.trust) == (10, 30, 0.25)
    assert second.fails(0.9)
    assert any(code.startswith("MOD") for one in second.sitemaps for code in one.rules)
    monkeypatch.setattr(Site, "pages", 3)
    alone = api.lastmod(site, no_store=True, cache=False, retries=0)
    assert (alone.store, alone.run_id, alone.total.unknown) == (None, None, 3)
