"""The report page from end to end: what it is made of, and what a store keeps for it."""

from __future__ import annotations

import json
import runpy
import shutil
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

import duckdb
import pytest
from lxml import html
from tests.hosting.folders import urlset as sitemap
from tests.hosting.folders import write

import urlset
from urlset.cli.main import main
from urlset.comparison.page_words import MAX_LINES, REDIRECTS_UNKNOWN, PageWords
from urlset.errors import InputError
from urlset.model.comparison import MovedPage, Part, State, Unchecked
from urlset.model.finding import Example, Finding
from urlset.model.page_changes import RobotsChanges
from urlset.model.policy import Intent
from urlset.pipeline.report_page import page_of_run
from urlset.report.html.template import render
from urlset.rules.registry import rule
from urlset.store.file import Store
from urlset.store.run import Run
from urlset.web.robots_txt import Availability

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = runpy.run_path(str(ROOT / "examples" / "audit" / "serve.py"))
QUIET = ["--no-config", "--no-cache", "--retries", "0", "--ignore", "LOC024", "--fail-on", "never"]


def parsed(path: Path) -> Any:
    return html.document_fromstring(path.read_text(encoding="utf-8"))


def numbers(tree: Any) -> dict[str, int]:
    return {one.get("data-number"): int(one.get("data-value")) for one in tree.xpath("//*[@data-number]")}


@pytest.mark.long("slow cases")
def test_validate_writes_a_page_with_the_numbers_of_its_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    page = tmp_path / "report.html"
    targets = ["examples/faulty", "examples/index"]
    assert main(["validate", *targets, "--no-config", "--format", "json", "--report", str(page)]) == 1
    values = json.loads(capsys.readouterr().out)
    tree = parsed(page)
    shown = numbers(tree)
    assert {name: shown[name] for name in values["summary"]} == values["summary"]
    by_rule = {one.get("data-code"): int(one.get("data-places")) for one in tree.xpath("//details[@data-code]")}
    expected: dict[str, int] = {}
    for finding in values["findings"]:
        expected[finding["code"]] = expected.get(finding["code"], 0) + finding["count"]
    assert by_rule == expected
    assert not list(tmp_path.glob("*.duckdb"))


def test_a_report_compares_what_was_intended_during_the_run(tmp_path: Path) -> None:
    site, store = tmp_path / "site", tmp_path / "runs.duckdb"
    site.mkdir()
    (site / "index.html").write_text("<!DOCTYPE html><html lang=en><title>Shop</title><main>Shop</main></html>")
    (site / "robots.txt").write_text("User-agent: *\nAllow: /\nSitemap: https://example.com/sitemap.xml\n")
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    (site / "sitemap.xml").write_text(
        f'<urlset xmlns="{namespace}"><url><loc>https://example.com/</loc></url></urlset>'
    )
    given = ["--base-url", "https://example.com/", "--store", str(store), *QUIET]
    assert main(["audit", str(site), *given, "--set", "policy.training=no"]) == 0
    policy = page_of_run(store).policy
    assert policy is not None
    assert policy.intent == Intent(training=False)
    [finding] = policy.findings
    assert finding.evidence.startswith("[policy] says AI training no, and robots.txt line 2 allows Google-Extended")
    tree: Any = html.document_fromstring("\n".join(render(page_of_run(store))))
    [section] = tree.xpath("//section[@id='policy']")
    assert "Intended, in [policy]: training no." in section.text_content()


def test_a_report_shows_what_changed_on_the_pages(tmp_path: Path) -> None:
    base, script = "https://example.com", "<script>alert(1)</script>"
    robots = f"User-agent: *\nAllow: /\nSitemap: {base}/sitemap.xml\n"
    llms = f"# Shop\n\n## Docs\n\n- [Beds]({base}/beds/)\n"
    store, site = tmp_path / "runs.duckdb", tmp_path / "site"
    for paths, title, more_robots, more_llms in (
        (("beds", "chairs", "lamps"), "Lamps", "", ""),
        (("beds", "seats", "lamps"), script, "User-agent: GPTBot\nDisallow: /\n", f"- [Lamps]({base}/lamps/)\n"),
    ):
        shutil.rmtree(site, ignore_errors=True)
        texts = dict(zip(paths, ("beds", "chairs", "lamps"), strict=True))
        pages = {
            f"{path}/index.html": f"<!DOCTYPE html><html lang=en><title>{escape(title if path == 'lamps' else 'Shop')}"
            f"</title><main>{' '.join(f'{text}{number}' for number in range(30))}</main></html>"
            for path, text in texts.items()
        }
        files = {"robots.txt": robots + more_robots, "llms.txt": llms + more_llms}
        write(site, {**pages, **files, "sitemap.xml": sitemap(*(f"{base}/{path}/" for path in paths))})
        assert main(["audit", str(site), "--base-url", f"{base}/", "--store", str(store), *QUIET]) == 0
    page = page_of_run(store)
    assert page.since is not None
    # The report is of the site, which the directory becomes.
    assert (page.site, page.targets) == (f"{base}/", (str(site),))
    assert (page.since.added, page.since.removed, page.since.respelled, page.since.moved) == (1, 1, 0, 1)
    text = "\n".join(render(page))
    assert script not in text
    tree: Any = html.document_fromstring(text)
    assert tree.xpath("string(//h1)") == f"{base}/"
    assert f"built pages in {site}" in tree.xpath("string(//header)")
    [trend] = tree.xpath("//section[@id='trend']")
    assert "1 URL added, 1 removed (1 at another URL), 0 with" in trend.text_content()
    shown = {
        one.xpath("./summary")[0].text_content(): [line.text_content() for line in one.xpath("./h3 | ./ul/li")]
        for one in trend.xpath("./details[ul]")
    }
    assert shown == {
        "Changed pages: 2 pages compared, 1 changed": [
            "By kind of change",
            "title: 1 page",
            "1 page not compared: only the earlier side has the page",
            "1 page not compared: only the later side has the page",
            "By page",
            f"/lamps/: title: “Lamps” to “{script}”",
        ],
        "Moved pages: 1 page at another URL": ["/chairs/ is now /seats/", REDIRECTS_UNKNOWN.replace("`", "")],
        f"Changes in robots.txt: {base}/robots.txt": [
            "GPTBot can no longer fetch 3 of 3 listed URLs, such as /beds/ (line 5, Disallow: “/”)",
            "line added: Disallow: / (for gptbot)",
        ],
        "Changed links in llms.txt: 1 file": ["/llms.txt: 1 link added, such as /lamps/"],
    }


def test_lists_of_changes_are_bounded() -> None:
    lines = tuple(f"Disallow: /{number}" for number in range(3 * MAX_LINES))
    read = Availability.READ
    robots = RobotsChanges("https://example.com/robots.txt", read, read, 0, (), lines, ())
    moved = Part(1_000, tuple(MovedPage(f"/{number}", f"/new/{number}", "a.xml") for number in range(2)))
    pages, files = PageWords().lists(None, moved, [robots], [])
    assert pages.lines == ("/0 is now /new/0", "/1 is now /new/1", "and 998 more pages", REDIRECTS_UNKNOWN)
    assert files.lines[MAX_LINES:] == ("and 200 more lines",)


def test_a_page_is_what_the_store_keeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, first, again = tmp_path / "kept.duckdb", tmp_path / "first.html", tmp_path / "again.html"
    with EXAMPLE["serving"]() as site:
        common = ["audit", site, "--store", str(store), *QUIET]
        main([*common, "--max-pages", "3", "--select", "LOC001"])
        capsys.readouterr()
        main([*common, "--format", "json", "--images", "--report", str(first)])
    values = json.loads(capsys.readouterr().out)
    assert main(["report", str(store), "-o", str(again)]) == 0
    assert capsys.readouterr().err == f"urlset: wrote the report of run 2 to {again}\n"
    assert first.read_bytes() == again.read_bytes()
    tree = parsed(again)
    assert numbers(tree)["pages"] == values["pages"]["fetched"]
    assert [float(one) for one in tree.xpath("//@data-score")] == [one["score"] for one in values["checks"]]
    assert "trend" in tree.xpath("//section/@id")
    crawlers = tree.xpath("//section[@id='agents']//tbody//th/text()")
    assert crawlers == [one["agent"] for one in values["agents"]]
    capsys.readouterr()
    assert main(["report", str(store), "--run", "2", "-o", "-"]) == 0
    assert capsys.readouterr().out == again.read_text(encoding="utf-8")
    assert urlset.report_page(store) == again.read_text(encoding="utf-8")


def finding(code: str, document_id: int, count: int) -> Finding:
    example = Example(0, 1, 1, "https://example.com/", "loc", "x", f"{code} is broken")
    return Finding(rule(code), document_id, count, (example,))


def judged_run(store: Store, findings: list[Finding], urls: int) -> None:
    run = Run.begin(store, ["example.com"], {}, datetime(2026, 2, 3, tzinfo=UTC))
    text = "\n".join(f"https://example.com/{number}" for number in range(urls))
    document = urlset.read(text.encode())
    run.add(document.tables)
    run.add_documents([dict(document.facts)])
    run.add_findings(findings, {0: "sitemap.txt"})
    run.finish({"documents": 1, "urls": urls, "errors": len(findings)}, datetime(2026, 2, 3, tzinfo=UTC))


def test_runs_on_the_same_targets_are_a_trend(tmp_path: Path) -> None:
    path = tmp_path / "kept.duckdb"
    with Store.create(path) as store:
        judged_run(store, [finding("LOC003", 0, 1), finding("LOC001", 0, 5), finding("MOD002", 0, 4)], 3)
        judged_run(store, [finding("LOC001", 0, 7), finding("MOD001", 0, 2), finding("MOD002", 0, 4)], 4)
    page = page_of_run(path)
    assert page.since is not None
    assert [run.run_id for run in page.runs] == [1, 2]
    assert (page.since.added, page.since.removed, page.since.lastmods) == (1, 0, 0)
    assert [(one.code, one.state.value) for one in page.since.findings] == [
        ("MOD001", "new"),
        ("LOC001", "grown"),
        ("MOD002", "unchanged"),
        ("LOC003", "fixed"),
    ]
    assert page_of_run(path, 1).since is None
    drawn: Any = html.document_fromstring("".join(render(page)))
    assert [" ".join(one.text_content().split()) for one in drawn.xpath("//ul[@class='states']/li")] == [
        "1 new finding",
        "1 finding with more places",
        "1 finding unchanged",
        "1 finding fixed",
    ]


def test_rules_that_only_one_run_applied_are_named(tmp_path: Path) -> None:
    path = tmp_path / "kept.duckdb"
    with Store.create(path) as store:
        judged_run(store, [finding("LOC003", 0, 1)], 1)
        judged_run(store, [finding("MOD001", 0, 2)], 1)
        for run, code in ((1, "LOC003"), (2, "MOD001")):
            store.connection.execute("UPDATE runs SET settings = ? WHERE run_id = ?", [f'{{"rules": ["{code}"]}}', run])
    since = page_of_run(path).since
    assert since is not None
    assert [(one.code, one.state, one.unchecked) for one in since.findings] == [
        ("LOC003", State.NOT_CHECKED, {Unchecked.RULE: 1})
    ]
    assert since.only_after == ("MOD001",)


def test_a_rule_that_nobody_knows_any_more_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "kept.duckdb"
    with Store.create(path) as store:
        judged_run(store, [finding("LOC003", 0, 1)], 1)
        store.connection.execute("UPDATE findings SET code = 'OWN007', severity = 'info'")
    report = page_of_run(path).report
    assert report is not None
    assert [(one.rule.code, one.severity.value, one.count) for one in report.findings] == [("OWN007", "info", 1)]


def test_a_store_of_an_earlier_urlset_has_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.duckdb"
    with Store.create(path) as store:
        judged_run(store, [finding("LOC003", 0, 1)], 1)
        store.connection.execute("DROP TABLE urlset_results")
        store.connection.execute("ALTER TABLE documents DROP COLUMN stylesheet")
        store.connection.execute("ALTER TABLE findings DROP COLUMN fingerprint")
    # This process would trust a store that it wrote itself.
    monkeypatch.setattr("urlset.engine.store_tables._states", {})
    assert page_of_run(path).pages is None
    with Store.create(path) as store:
        assert store.has_table("urlset_results")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["report", "{folder}/none.duckdb"], 3, "no such store"),
        (["report", "{folder}/empty.duckdb@4"], 3, "no run 4 in the store; available runs: none"),
        (["pages", "{folder}/empty.duckdb@4"], 3, "no run 4 in the store; available runs: none"),
        (["pages", "{folder}/empty.duckdb@x"], 2, "the text after @ must be the number of a run, not 'x'"),
        (["pages", "{folder}/empty.duckdb@1", "--run", "1"], 2, "--run names a run as well"),
        (["history", "{folder}/empty.duckdb@1"], 2, "this command is not about one run"),
        (["report", "{folder}/text.duckdb"], 3, "is not a DuckDB file"),
        (["report", "{folder}/other.duckdb"], 3, "is a DuckDB file, but not a store of urlset"),
        (["report", "{folder}/empty.duckdb"], 3, "no finished run in the store"),
        (["report", "{folder}/empty.duckdb", "--run", "3"], 3, "no run 3 in the store; available runs: none"),
        (["report", "{folder}/empty.duckdb", "-o", "{folder}/no/x.html"], 3, "no such directory"),
        (["validate", "{folder}/text.duckdb", "--report", "{folder}/no/x.html"], 3, "no such directory"),
        (["validate", "{folder}/text.duckdb", "--report", "{folder}"], 3, "is a directory"),
        (["check", "127.0.0.1:1", "--report", "{folder}/no/x.html"], 3, "no such directory"),
    ],
)
def test_what_cannot_be_done_is_said_before_the_work(
    arguments: list[str], code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.duckdb").write_text("no database")
    duckdb.connect(str(tmp_path / "other.duckdb")).execute("CREATE TABLE x (y INTEGER)").close()
    Store.create(tmp_path / "empty.duckdb").close()
    assert main([one.replace("{folder}", str(tmp_path)) for one in arguments]) == code
    assert message in capsys.readouterr().err


def test_no_such_run_is_an_error_of_the_api(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such store"):
        urlset.report_page(tmp_path / "none.duckdb")
