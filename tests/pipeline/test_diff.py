"""`diff`: every kind of change, on files, folders and stores; what it prints is held to its schema."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import duckdb
import pytest
from jsonschema import Draft202012Validator

from urlset.cli.main import main
from urlset.comparison.render_text import render as text_lines
from urlset.comparison.sides import read_and_judge
from urlset.errors import InputError, Unreadable, UsageError
from urlset.model.comparison import (
    Comparison,
    FindingChange,
    Gaps,
    IncompleteDocuments,
    LastmodChange,
    LastmodChangeKind,
    ListedUrl,
    Part,
    RemovedUrl,
    RemovedUrlStatus,
    Side,
    State,
)  # fmt: skip
from urlset.model.document import SkippedFile
from urlset.net.trust import Trust
from urlset.options import DiffOptions, FailOnChange, ValidateOptions
from urlset.pipeline.diff import diff
from urlset.report.json_outputs import DIFF
from urlset.report.json_schema import schema as schema_of
from urlset.report.style import Style
from urlset.rules.rule import Severity
from urlset.stages.judge import JudgePlan
from urlset.stages.session import Session
from urlset.store.file import Store
from urlset.store.run import Run

OPEN = '<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
AT = datetime(2026, 2, 3, tzinfo=UTC)


def sitemap(*entries: tuple[str, str | None]) -> str:
    lines = [
        f"<url><loc>https://example.com/{path}</loc>{f'<lastmod>{lastmod}</lastmod>' if lastmod else ''}</url>\n"
        for path, lastmod in entries
    ]
    return OPEN.format(root="urlset") + "".join(lines) + "</urlset>\n"


def stored(run: Run, target: str) -> None:
    """Reads and judges a target into a run."""
    options = ValidateOptions()
    with Session(options, Trust()) as session:
        read_and_judge(run, [target], JudgePlan.of(options), session)


def index(*names: str) -> str:
    lines = [f"<sitemap><loc>https://example.com/{name}</loc></sitemap>\n" for name in names]
    return OPEN.format(root="sitemapindex") + "".join(lines) + "</sitemapindex>\n"


def folder(path: Path, **contents: str) -> str:
    path.mkdir()
    for name, text in contents.items():
        (path / f"{name}.xml").write_text(text, "utf-8")
    return str(path)


def schema(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(name))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two folders with every kind of change between them."""
    tmp_path = tmp_path_factory.mktemp("two")
    before = folder(
        tmp_path / "before",
        sitemap_index=index("sitemap-a.xml", "sitemap-old.xml"),
        sitemap_a=sitemap(
            ("same", "2026-01-01"),
            ("later", "2026-01-01"),
            ("earlier", "2026-01-02"),
            ("gains", None),
            ("loses", "2026-01-01"),
            ("rewritten", "2026-01-01T00:00:00Z"),
            ("gone", "2026-01-01"),
        ),
    )
    after = folder(
        tmp_path / "after",
        sitemap_index=index("sitemap-a.xml", "sitemap-new.xml"),
        sitemap_a=sitemap(
            ("same", "2026-01-01"),
            ("later", "2026-01-03"),
            ("earlier", "2026-01-01"),
            ("gains", "2026-01-01"),
            ("loses", None),
            ("rewritten", "2026-01-01T01:00:00+01:00"),
            ("new", None),
            ("bad|date", "yesterday"),
        ),
    )
    return before, after


@pytest.fixture(scope="module")
def compared(two: tuple[str, str]) -> Comparison:
    """Both folders, compared once for all tests."""
    return diff(*two, DiffOptions())


@pytest.mark.long("slow cases")
def test_every_kind_of_change(compared: Comparison) -> None:
    found = compared
    assert (found.before.urls, found.after.urls, found.before.documents) == (7, 8, 2)
    assert [one.url for one in found.added.examples] == ["https://example.com/bad|date", "https://example.com/new"]
    assert [(one.url, one.lastmod) for one in found.removed.examples] == [("https://example.com/gone", "2026-01-01")]
    assert {one.url.rpartition("/")[2]: one.moved for one in found.lastmod.examples} == {
        "later": LastmodChangeKind.LATER,
        "earlier": LastmodChangeKind.EARLIER,
        "gains": LastmodChangeKind.ADDED,
        "loses": LastmodChangeKind.REMOVED,
        "rewritten": LastmodChangeKind.REWRITTEN,
    }
    assert found.moved == dict.fromkeys(LastmodChangeKind, 1)
    assert found.children_added.examples == ("https://example.com/sitemap-new.xml",)
    assert found.children_removed.examples == ("https://example.com/sitemap-old.xml",)
    new = {(change.code, change.before, change.after) for change in found.findings_that_are(State.NEW)}
    assert ("MOD001", 0, 1) in new
    assert {alarm.name for alarm in found.alarms} == {"sitemap-disappeared", "new-errors", "lastmod-earlier"}


@pytest.mark.long("slow cases")
def test_the_other_way_round(two: tuple[str, str], compared: Comparison) -> None:
    before, after = two
    there, back = compared, diff(after, before, DiffOptions())
    assert there.added.count == back.removed.count
    assert there.moved[LastmodChangeKind.LATER] == back.moved[LastmodChangeKind.EARLIER]
    assert {change.code for change in there.findings_that_are(State.NEW)} == {
        change.code for change in back.findings_that_are(State.FIXED, State.UNLISTED)
    }


@pytest.mark.long("slow cases")
def test_a_side_and_itself_are_the_same(two: tuple[str, str]) -> None:
    found = diff(two[1], two[1], DiffOptions())
    assert found.is_same
    assert not found.fails(FailOnChange.ANY)
    assert {change.state for change in found.findings or ()} == {State.UNCHANGED}


@pytest.mark.long("slow cases")
def test_examples_are_bounded_and_counts_exact(tmp_path: Path) -> None:
    before = folder(tmp_path / "before", sitemap=sitemap(*((str(n), None) for n in range(25))))
    after = folder(tmp_path / "after", sitemap=sitemap(("0", None)))
    found = diff(before, after, DiffOptions(max_examples=3, rules=False))
    assert (found.removed.count, len(found.removed.examples)) == (24, 3)
    assert found.findings is None
    assert [alarm.name for alarm in found.alarms] == ["url-count-drop"]
    assert not diff(before, after, DiffOptions(max_drop=96, rules=False)).alarms


@pytest.mark.long("slow cases")
def test_runs_of_a_store(tmp_path: Path, two: tuple[str, str], compared: Comparison) -> None:
    path = tmp_path / "kept.duckdb"
    for target in two:
        with Store.create(path) as store:
            stored(Run.begin(store, [target], {}), target)
    kept = diff(f"{path}@1", f"{path}@2", DiffOptions())
    read = compared
    assert (kept.added, kept.removed, kept.lastmod, kept.moved) == (read.added, read.removed, read.lastmod, read.moved)
    assert kept.findings == read.findings
    assert (kept.before.run_id, kept.after.run_id, read.before.run_id) == (1, 2, None)
    # Against a store, its newest run; and a store against a folder.
    assert diff(str(path), two[1], DiffOptions()).is_same


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("side", "error", "reason"),
    [
        ("nowhere", InputError, "no such file"),
        ("nowhere.duckdb", InputError, "no such store"),
        ("kept.duckdb@7", InputError, r"no run 7 in the store; available runs: 1"),
        ("kept.duckdb@one", UsageError, "the number of a run, not 'one'"),
        ("kept.duckdb", InputError, "no finished run in the store"),
        ("kept.duckdb@1", InputError, "run 1 is unfinished"),
        ("page.html", InputError, "no file in this directory ends in"),
    ],
)
def test_what_is_no_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, side: str, error: type[Exception], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.html").mkdir()
    with Store.create(Path("kept.duckdb")) as store:
        Run.begin(store, ["here"], {})
    Path("sitemap.xml").write_text(sitemap(("a", None)), "utf-8")
    with pytest.raises(error, match=reason):
        diff("sitemap.xml", side, DiffOptions())


@pytest.mark.long("slow cases")
def test_the_command(two: tuple[str, str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["diff", *two, "--no-config"]) == 1
    text = capsys.readouterr().out
    assert "2 URLs added\n  + https://example.com/bad|date" in text
    assert "alarm  lastmod-earlier: 1 URL" in text
    file = tmp_path / "changes.json"
    assert main(["diff", *two, "--no-config", "--fail-on", "never", "--format", "json", "-o", str(file)]) == 0
    assert capsys.readouterr().out == ""
    written = json.loads(file.read_text("utf-8"))
    schema("diff").validate(written)
    assert written["urls"]["added"]["count"] == 2
    assert main(["diff", two[0], two[0], "--no-config", "--fail-on", "any"]) == 0
    assert "Nothing changed." in capsys.readouterr().out
    assert main(["diff", two[0], "nowhere", "--no-config"]) == 3
    assert "nowhere: no such file" in capsys.readouterr().err


def everything() -> Comparison:
    gaps = Gaps(
        (Unreadable("gone\x1b.xml", "no such file"),),
        IncompleteDocuments(2, (Unreadable("a\u202e.xml", "HTTP\n404"),)),
        (SkippedFile("b\x07.xml", "xml"),),
        ("robots.txt\r: no sitemap",),
    )
    side = Side("\x1b[31mbefore", 1, AT, 2, 100, gaps)
    return Comparison(
        before=side,
        after=Side("after\u202e", None, AT, 1, 50),
        added=Part(1, (ListedUrl("https://example.com/\x07", "a.xml", None),), (("a.xml", 1), ("b\n.xml", 1))),
        removed=Part(51, (ListedUrl("https://example.com/a", "a.xml", "2026\n"),), (("a.xml", 51),)),
        lastmod=Part(1, (LastmodChange("https://example.com/b", "a.xml", "2026", None, LastmodChangeKind.REMOVED),)),
        moved={LastmodChangeKind.REMOVED: 1},
        children_added=Part(1, ("https://example.com/\r",)),
        children_removed=Part(0),
        findings=(FindingChange("LOC001", Severity.ERROR, "a\tb", 0, 3, "bad\x1b]0;"),),
        removed_urls=Part(
            2,
            (
                RemovedUrl("https://example.com/a", RemovedUrlStatus.LOST, 404),
                RemovedUrl(
                    "https://example.com/b\u200b",
                    RemovedUrlStatus.REDIRECTED,
                    200,
                    "https://example.com/c",
                    is_listed=True,
                ),
            ),
        ),
        removed_url_counts={RemovedUrlStatus.LOST: 1, RemovedUrlStatus.REDIRECTED: 1},
    )


def test_the_forms_hold_everything_and_nothing_steers() -> None:
    comparison = everything()
    lines = list(text_lines(comparison, Style(verbose=True)))
    assert all(line.isprintable() for line in lines)
    values: Any = json.loads("".join(DIFF.json(comparison)))
    schema("diff").validate(values)
    assert values["before"]["name"] == "\x1b[31mbefore"
    assert [alarm["name"] for alarm in values["alarms"]] == ["url-count-drop", "new-errors", "page-lost"]
    assert values["removed_urls"]["outcomes"] == {"lost": 1, "redirected": 1}
    text = "\n".join(lines)
    for part in ("51 URLs removed", "… and 50 more", "most in a.xml (1)", "1 removed", "1 lost, 1 redirected"):
        assert part in text


@pytest.mark.long("slow cases")
def test_history(tmp_path: Path, two: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kept.duckdb"
    for _ in range(3):
        with Store.create(path) as store:
            stored(Run.begin(store, [two[1]], {"rules": []}), two[1])
    with Store.create(path) as store:
        Run.begin(store, [two[0]], {})
    assert main(["history", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["run", "started", "(UTC)"]
    assert len(lines) == 6
    assert "unfinished" in lines[-1]
    assert main(["history", str(path), "--keep", "2", "--format", "json"]) == 0
    values = json.loads(capsys.readouterr().out)
    schema("history").validate(values)
    assert [run["run"] for run in values["runs"]] == [3, 4]
    assert values["runs"][0]["urls"] == 8
    assert main(["history", str(tmp_path / "none.duckdb"), "--keep", "2"]) == 3
    assert "no such store" in capsys.readouterr().err
    assert not (tmp_path / "none.duckdb").exists()


class Moved404(BaseHTTPRequestHandler):
    """The site after a migration, with its sitemap."""

    def do_GET(self) -> None:
        origin = f"http://{self.headers['Host']}"
        answers = {"/old": (301, "/new"), "/far": (301, "/unlisted"), "/still": (200, ""), "/secret": (403, "")}
        status, location = answers.get(self.path, (200 if self.path in ("/new", "/unlisted") else 404, ""))
        body = b""
        if self.path == "/sitemap.xml":
            status, body = 200, sitemap(("new", None)).replace("https://example.com", origin).encode()
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "application/xml" if body else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, *args: object) -> None:
        """Stays quiet."""


def test_a_migration(tmp_path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Moved404)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        origin = f"http://127.0.0.1:{server.server_port}"
        paths = ("old", "far", "still", "lost", "secret", "new")
        before = tmp_path / "before.xml"
        before.write_text(sitemap(*((path, None) for path in paths)).replace("https://example.com", origin), "utf-8")
        found = diff(
            str(before), origin, DiffOptions(rules=False, ask_removed=100, cache=False, retries=0, allow_private=True)
        )
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert (found.after.urls, found.added.count, found.removed.count) == (1, 0, 5)
    assert found.removed_urls is not None
    outcomes = {
        one.url.removeprefix(f"{origin}/"): (one.outcome, one.status, one.is_listed)
        for one in found.removed_urls.examples
    }
    assert outcomes == {
        "old": (RemovedUrlStatus.REDIRECTED, 200, True),
        "far": (RemovedUrlStatus.REDIRECTED, 200, False),
        "still": (RemovedUrlStatus.STILL_THERE, 200, False),
        "lost": (RemovedUrlStatus.LOST, 404, False),
        "secret": (RemovedUrlStatus.UNKNOWN, 403, False),
    }
    assert found.removed_url_counts == {
        RemovedUrlStatus.REDIRECTED: 2,
        RemovedUrlStatus.STILL_THERE: 1,
        RemovedUrlStatus.LOST: 1,
        RemovedUrlStatus.UNKNOWN: 1,
    }
    assert "page-lost" in {alarm.name for alarm in found.alarms}


def audited(store: Path, target: Path, *more: str) -> None:
    main(["audit", str(target), "--no-pages", "--no-score", "--store", str(store), "--format", "none", *more])


def changes(store: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    main(["diff", f"{store}@1", f"{store}@2", "--format", "json"])
    values: dict[str, Any] = json.loads(capsys.readouterr().out)
    schema("diff").validate(values)
    found: dict[str, Any] = values["findings"]
    return found


def text_of(store: Path, capsys: pytest.CaptureFixture[str]) -> str:
    main(["diff", f"{store}@1", f"{store}@2", "--color", "never"])
    return capsys.readouterr().out


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "options",
    [["--ignore", "LOC"], ["--ignore", "LOC013"], ["--select", "XML"], ["--config", "ignores.toml"]],
    ids=["ignore", "ignore a code", "select", "per document"],
)
def test_what_only_one_run_could_find_is_not_compared(
    tmp_path: Path, options: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ignores.toml").write_text('[per-document-ignores]\n"*.xml" = ["LOC"]\n')
    path, store = tmp_path / "s.xml", tmp_path / "kept.duckdb"
    path.write_text(sitemap(("a", None)).replace("example.com/", "example.com:443/"))
    audited(store, path)
    audited(store, path, *options)
    found, text = changes(store, capsys), text_of(store, capsys)
    assert (found["counts"]["fixed"], found["counts"]["new"]) == (0, 0)
    assert "LOC013" in found["not_compared"]["before"]
    assert found["not_compared"]["after"] == []
    assert "the run after did not include the rule: " in text
    assert "LOC013" in text
    # The other way round it is not new either.
    audited(store, path)
    main(["diff", f"{store}@2", f"{store}@3", "--format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert found["counts"]["new"] == 0
    assert "LOC013" in found["not_compared"]["after"]


@pytest.mark.long("slow cases")
def test_what_both_runs_could_find_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, store = tmp_path / "s.xml", tmp_path / "kept.duckdb"
    path.write_text(sitemap(("a", None)).replace("example.com/", "example.com:443/"))
    audited(store, path, "--ignore", "XML")
    path.write_text(sitemap(("a", None)))
    audited(store, path, "--ignore", "XML,IDX")
    found, text = changes(store, capsys), text_of(store, capsys)
    assert [(one["code"], one["state"]) for one in found["changes"] if one["state"] == "fixed"] == [("LOC013", "fixed")]
    assert found["not_compared"] == {"before": [], "after": []}
    assert "Not compared" not in text


def test_rules_that_an_earlier_urlset_did_not_note_are_known_by_what_was_selected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, store = tmp_path / "s.xml", tmp_path / "kept.duckdb"
    path.write_text(sitemap(("a", None)).replace("example.com/", "example.com:443/"))
    audited(store, path)
    audited(store, path, "--ignore", "LOC")
    with duckdb.connect(str(store)) as connection:
        for run, settings in connection.execute("SELECT run_id, settings FROM runs").fetchall():
            earlier = {key: value for key, value in json.loads(settings).items() if key != "rules"}
            connection.execute("UPDATE runs SET settings = $1 WHERE run_id = $2", [json.dumps(earlier), run])
    assert "LOC013" in changes(store, capsys)["not_compared"]["before"]


SPELLINGS = (
    ("dart.html", "dart"),
    ("vm/", "vm"),
    ("a/index.html", "a/"),
    ("%d8%a7", "ا"),
)


def test_urls_in_another_spelling_are_paired_and_losses_stand_out(tmp_path: Path) -> None:
    before, after = tmp_path / "old.xml", tmp_path / "new.xml"
    before.write_text(sitemap(("", None), ("gone", None), ("same", None), *((old, None) for old, _ in SPELLINGS)))
    after.write_text(sitemap(("same", None), ("new", None), *((new, None) for _, new in SPELLINGS)))
    found = diff(str(before), str(after), DiffOptions(max_examples=4))
    assert (found.removed.count, found.added.count) == (6, 5)
    assert [(entry.url[19:], entry.respelled) for entry in found.removed.examples][:2] == [("/", None), ("/gone", None)]
    assert [(entry.url[19:], entry.respelled) for entry in found.added.examples][:1] == [("/new", None)]
    assert (found.respelled.count, found.respelled_added) == (4, 4)
    assert {(pair.url[20:], pair.after[20:], pair.is_same) for pair in found.respelled.examples} == {
        (old, new, old == "%d8%a7") for old, new in SPELLINGS
    }
    lines = list(text_lines(found))
    assert "5 URLs added, 4 of them only in another spelling" in lines
    assert [line for line in lines if line.startswith("  - ")] == [
        "  - https://example.com/",
        "  - https://example.com/gone",
    ]
    assert "  ~ https://example.com/%d8%a7 -> https://example.com/ا  the same URL" in lines
    assert not found.is_same


def test_a_lost_url_has_no_other_spelling(tmp_path: Path) -> None:
    for name, paths in (("old.xml", ("a", "b", "C")), ("new.xml", ("a", "b?x", "c", "b/d"))):
        (tmp_path / name).write_text(sitemap(*((path, None) for path in paths)))
    found = diff(str(tmp_path / "old.xml"), str(tmp_path / "new.xml"), DiffOptions())
    assert (found.removed.count, found.added.count, found.respelled.count, found.respelled_added) == (2, 3, 0, 0)
