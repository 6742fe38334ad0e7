"""Access logs compared with a run: each planted fault is found once, and what the logs do not allow to say is said."""

from __future__ import annotations

import json
import runpy
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import jsonschema
import pytest
from referencing import Registry, Resource

import urlset
from urlset import api
from urlset.access_logs import log_tables
from urlset.access_logs import shares as log_shares
from urlset.access_logs.judge_logs import compare_logs
from urlset.access_logs.memory import MAX_MEMORY, MIN_MEMORY, memory_of
from urlset.cli.main import main
from urlset.model.access_log import LogsResult
from urlset.model.crawl_report import CrawlReport
from urlset.model.finding import Finding
from urlset.model.json_values import as_json
from urlset.options import AuditOptions
from urlset.pipeline.audit import audit
from urlset.pipeline.report_page import page_of_run
from urlset.report.formats import render
from urlset.report.json_outputs import COVERAGE
from urlset.report.json_schema import names
from urlset.report.json_schema import schema as schema_of
from urlset.store.file import Store
from urlset.text.sizes import MiB

ROOT = Path(__file__).parents[2]
DEMO = runpy.run_path(str(ROOT / "scripts" / "demo_logs.py"))
SITE = "https://example.com"
GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"


def line(day: int, path: str, status: int = 200, client: str = "66.249.66.1", agent: str = GOOGLEBOT) -> str:
    return f'{client} - - [{day:02}/Oct/2026:07:00:00 +0000] "GET {path} HTTP/1.1" {status} 512 "-" "{agent}"\n'


FIRST_RUNS: dict[tuple[str, ...], bytes] = {}
"""The stores of first runs by entries: one audit of the same entries is enough for all tests."""

SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{}</urlset>'


def audited(folder: Path, *entries: str) -> Path:
    """A store with a run on a sitemap with these entries: a path, or a path and a date; or another run in it."""
    store = folder / "store.duckdb"
    if store.exists() or entries not in FIRST_RUNS:
        is_first = not store.exists()
        urls = ""
        for entry in entries:
            path, _, lastmod = entry.partition(" ")
            date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
            urls += f"<url><loc>{SITE}{path}</loc>{date}</url>\n"
        with pytest.MonkeyPatch.context() as patch:
            # The target has the same name in each folder, so that the runs of a store are on the same target.
            patch.chdir(folder)
            Path("sitemap.xml").write_text(SITEMAP.format(urls))
            audit(["sitemap.xml"], AuditOptions(store=store, pages=False, score=False, select=("LOC001",)))
        if is_first:
            FIRST_RUNS[entries] = store.read_bytes()
    else:
        store.write_bytes(FIRST_RUNS[entries])
    return store


def logged(store: Path, lines: list[str], name: str = "access.log", **options: Any) -> LogsResult:
    log = store.with_name(name)
    log.write_text("".join(lines))
    return urlset.logs(log, store=store, site=SITE, **options)


def compared(result: LogsResult) -> CrawlReport:
    assert result.crawl is not None
    return result.crawl


def found(result: LogsResult) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for finding in compared(result).report.findings:
        counts[finding.rule.code] += finding.count
    return dict(counts)


@pytest.fixture
def ranges(tmp_path: Path) -> Path:
    folder = tmp_path / "ranges"
    folder.mkdir()
    made = datetime.now(UTC).isoformat()
    content = {"creationTime": made, "prefixes": [{"ipv4Prefix": "66.249.64.0/19"}]}
    (folder / "common-crawlers.json").write_text(json.dumps(content))
    return folder


@pytest.fixture
def example_site(tmp_path: Path) -> Iterator[str]:
    with DEMO["serving"](tmp_path) as site:
        yield site


def tables_of(store: Path) -> list[list[tuple[Any, ...]]]:
    names = ("log_urls", "log_crawlers", "log_sitemaps")
    with duckdb.connect(str(store), read_only=True) as connection:
        return [connection.execute(f"SELECT * FROM {name} ORDER BY number").fetchall() for name in names]


def test_each_planted_fault_is_found_once_and_nothing_else(
    example_site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    DEMO["write_logs"](tmp_path, people=200)
    store = tmp_path / "demo.duckdb"
    audit([example_site], AuditOptions(store=store, pages=False, score=False, cache=False, select=("LOC001",)))
    logs = sorted(tmp_path.glob("access.log*"))
    result = urlset.logs(logs, store=store, site=example_site, ranges=tmp_path / "ranges")
    codes = {rule.code for rule in urlset.list_rules() if rule.needs_logs or rule.needs_coverage}
    assert set(DEMO["PLANTED"]) == codes
    for imported in DEMO["write_exports"](tmp_path, example_site):
        assert main(["coverage", "import", *imported, "--store", str(store)]) == 0
    with DEMO["inspecting"](tmp_path, example_site) as inspected:
        assert main(["coverage", *inspected, "--store", str(store)]) == 0
    funnel = api.coverage(store=store)
    assert DEMO["mistakes"](as_json(compared(result).report), COVERAGE.content(funnel)) == []
    total = funnel.funnel.total
    assert [(step.yes, step.no, step.unknown) for step in (total.fetched, total.indexed)] == [(10, 1, 0), (7, 3, 1)]
    # The same once more, in many shares: logs that were read before change nothing.
    tables = tables_of(store)
    assert all(tables)
    monkeypatch.setattr(log_shares, "ROWS_IN_SHARE", 40)
    rows = memory_of() // 20
    monkeypatch.setattr(log_shares, "BYTES_PER_ROW", rows)
    monkeypatch.setattr(log_tables, "BYTES_PER_ROW", rows)
    again = urlset.logs(logs, store=store, site=example_site, ranges=tmp_path / "ranges")
    assert found(again) == found(result)
    assert tables_of(store) == tables
    overview = compared(result).overview
    assert {one.agent: (one.fetched, one.listed) for one in overview.crawlers} == {
        "Googlebot": (10, 11),
        "Bingbot": (9, 11),
        "GPTBot": (1, 11),
        "ClaudeBot": (1, 11),
    }
    assert [len(days) for days in overview.calendar.values()] == [28] * 4
    assert max(overview.sections, key=lambda one: one.wasted_hits).parameter_hits == 112


def test_many_urls_need_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, amount: Callable[[str], int]
) -> None:
    """DuckDB cannot move texts that an aggregation holds to disk, so the rows must not be compared all at once.

    That takes more than 64 MB from about 100,000 URLs on.
    """
    store = audited(tmp_path, "/0", "/never")
    logged(store, [line(1, "/0"), line(31, "/0")])
    count = amount("URLs of logs in little memory")
    with Store.create(store) as kept:
        kept.connection.execute(
            "INSERT INTO crawls SELECT site, concat(url, i, repeat('x', 50)), (hash(i) >> 1)::BIGINT, "
            f"* EXCLUDE (site, url, page_hash, i) FROM crawls, range({count}) AS of_range(i)"
        )
        compare_logs(kept, 64 * MiB)
    assert [tuple(row) for row in urlset.query("SELECT count(*), sum(hits)::BIGINT FROM log_urls", store).rows] == [
        (count + 2, 2 * (count + 1))
    ]


def test_the_memory_follows_the_machine_and_its_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert MIN_MEMORY <= memory_of() <= MAX_MEMORY
    assert memory_of("2GiB") == 2 * 1024 * MiB
    store = audited(tmp_path, "/0")
    log = tmp_path / "access.log"
    log.write_text(line(1, "/0"))
    command = ["logs", str(log), "--store", str(store), "--site", SITE, "--max-memory"]
    assert main([*command, "much"]) == 2
    assert "max-memory: must be a size such as 2GB, not 'much'" in capsys.readouterr().err

    def no_memory(_: Store, memory: int) -> None:
        assert memory == 200 * MiB
        raise MemoryError

    monkeypatch.setattr("urlset.pipeline.logs.compare_logs", no_memory)
    assert main([*command, "200MiB"]) == 3
    assert capsys.readouterr().err == "urlset: not enough memory; raise --max-memory\n"


@pytest.mark.long("slow cases")
def test_without_addresses_the_rules_about_verified_crawlers_say_so(tmp_path: Path) -> None:
    store = audited(tmp_path, "/a")
    result = logged(store, [line(1, "/a"), line(31, "/a", 500)])
    assert found(result) == {}
    assert not compared(result).overview.is_verified
    notes = " ".join(compared(result).report.notes)
    assert "LOG003, LOG007, LOG008, LOG009 need verified crawlers (--ranges or --dns), and found nothing" in notes


def test_true_and_false_crawlers(tmp_path: Path, ranges: Path) -> None:
    store = audited(tmp_path, "/a")
    lines = [line(1, "/a", 500), line(31, "/a"), line(3, "/b", 500, client="203.0.113.1")]
    result = logged(store, lines, ranges=ranges)
    assert found(result) == {"LOG003": 1, "LOG007": 1}
    [error] = [one for one in compared(result).report.findings if one.rule.of_verified and one.rule.table == "log_urls"]
    assert error.examples[0].message == (
        "https://example.com/a returned 500 to Googlebot: 1 of 2 verified requests in 2026-10-01 to 2026-10-31"
    )


@pytest.mark.long("slow cases")
@pytest.mark.parametrize(("days", "expected"), [((1, 31), ["/never", "/changed"]), ((1, 5), [])])
def test_the_logs_must_cover_enough_days(tmp_path: Path, days: tuple[int, int], expected: list[str]) -> None:
    dates = {"/never": "", "/changed": " 2026-10-20", "/just-changed": " 2026-10-30", "/future": " 2027-01-01"}
    store = audited(tmp_path, "/a", *(f"{path}{date}" for path, date in dates.items()))
    result = logged(store, [line(day, "/a") for day in days])
    assert found(result) == ({"LOG001": len(expected)} if expected else {})
    examples = [one.url for finding in compared(result).report.findings for one in finding.examples]
    assert sorted(map(str, examples)) == sorted(f"{SITE}{path}" for path in expected)
    notes = " ".join(compared(result).report.notes)
    assert ("the logs cover only 4.0 days" in notes) == (days == (1, 5))


@pytest.mark.long("slow cases")
def test_what_since_skips_does_not_count_as_covered(tmp_path: Path) -> None:
    store = audited(tmp_path, "/a", "/b")
    lines = [line(1, "/b"), line(1, "/a"), line(28, "/a"), line(31, "/a")]
    result = logged(store, lines, since="2026-10-27")
    assert compared(result).overview.period == "2026-10-28 to 2026-10-31"
    assert found(result) == {}


@pytest.mark.long("slow cases")
def test_requests_since_a_change(tmp_path: Path) -> None:
    store = audited(tmp_path, "/a", "/before 2026-10-10", "/after 2026-10-10")
    others = [line(day, path) for path, last in (("/before", 9), ("/after", 10)) for day in (2, last)]
    result = logged(store, [line(1, "/a"), line(31, "/a"), *others])
    assert found(result) == {"LOG005": 1}
    [finding] = compared(result).report.findings
    assert [one.url for one in finding.examples] == [f"{SITE}/before"]


@pytest.mark.long("slow cases")
def test_delay_after_a_change(tmp_path: Path) -> None:
    store = audited(tmp_path, "/a 2026-10-10T07:00:00Z", "/b 2026-10-10T07:00:00Z", "/c 2026-10-10T07:00:00Z")
    once = [line(12, "/a"), line(5, "/b"), line(16, "/b")]
    [googlebot] = compared(logged(store, [line(1, "/"), *once, line(31, "/")])).overview.crawlers
    # /a: two days; /b: six, since there are only two requests; /c: never requested.
    assert (googlebot.delay_days, googlebot.delay_urls, googlebot.delay_is_estimate) == (4.0, 2, False)
    daily = [line(day, "/c") for day in range(1, 32)]
    [googlebot] = compared(logged(store, daily, "daily.log")).overview.crawlers
    assert (googlebot.delay_days, googlebot.delay_urls, googlebot.delay_is_estimate) == (2.0, 3, True)


def test_a_gap_and_other_sites_are_noted(tmp_path: Path) -> None:
    store = audited(tmp_path, "/a")
    first, other = store.with_name("first.log"), store.with_name("other.log")
    first.write_text(line(1, "/a") + line(2, "/a"))
    second = store.with_name("second.log")
    second.write_text(line(20, "/a") + line(31, "/a"))
    urlset.logs([first, second], store=store, site=SITE)
    other.write_text(line(10, "/x") + line(31, "/x").replace("31/Oct", "30/Nov"))
    result = urlset.logs(other, store=store, site="https://other.example")
    assert compared(result).overview.period == "2026-10-01 to 2026-10-31"
    notes = compared(result).report.notes
    assert (
        "the logs have no line from 2026-10-02 07:00 to 2026-10-20 07:00 UTC; requests in between are not known"
    ) in notes
    assert "2 requests for 1 site that the run does not list left out" in notes


@pytest.mark.long("slow cases")
def test_a_site_that_the_logs_do_not_have(tmp_path: Path) -> None:
    store = audited(tmp_path, "/a", "/b")
    crawler = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"
    result = logged(store, [line(1, "/a", agent=crawler), line(31, "/a", agent=crawler)])
    assert found(result) == {}
    assert (
        "the logs have no request of a search engine for https://example.com, so nothing is said of its listed URLs"
    ) in compared(result).report.notes


def test_a_store_without_runs(tmp_path: Path) -> None:
    result = logged(tmp_path / "store.duckdb", [line(1, "/a")])
    assert result.crawl is None
    assert result.uncompared == "the store has no run to compare the logs with; create one with `urlset audit`"


@pytest.mark.long("slow cases")
def test_two_spellings_of_a_url_are_one(tmp_path: Path) -> None:
    store = audited(tmp_path, "/café", "/a")
    assert found(logged(store, [line(1, "/caf%C3%A9"), line(1, "/a"), line(31, "/a")])) == {}


@pytest.mark.long("slow cases")
def test_options_choose_rules_and_limits(tmp_path: Path) -> None:
    store = audited(tmp_path, "/a", "/b")
    lines = [line(1, "/a"), line(4, "/a")]
    assert found(logged(store, lines)) == {}
    result = logged(store, lines, limits={"min-log-days": 3}, severity={"LOG": "error"})
    assert found(result) == {"LOG001": 1}
    assert compared(result).report.summary.errors == 1


@pytest.mark.long("slow cases")
def test_findings_are_kept_with_the_run(tmp_path: Path) -> None:
    store = audited(tmp_path, "/a", "/b", "/a")

    def asked(statement: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(store), read_only=True) as connection:
            return connection.execute(statement).fetchall()

    def kept(codes: str) -> list[tuple[Any, ...]]:
        return asked(f'SELECT code, "count" FROM findings WHERE code {codes} ORDER BY ALL')

    def counted() -> tuple[Any, ...]:
        [row] = asked("SELECT errors, warnings, infos FROM runs")
        return row

    def on_logs() -> list[Finding]:
        report = page_of_run(store).report
        assert report is not None
        return [one for one in report.findings if one.rule.needs_logs]

    of_audit, counts = kept("NOT LIKE 'LOG%'"), counted()
    lines = [line(1, "/a"), line(31, "/a")]
    for _ in range(2):
        result = logged(store, lines, severity={"LOG": "error"})
        assert found(result) == {"LOG001": 1}
        assert kept("LIKE 'LOG%'") == [("LOG001", 1)]
        assert kept("NOT LIKE 'LOG%'") == of_audit
        assert counted() == (counts[0] + 1, *counts[1:])
        [shown] = on_logs()
        assert (shown.rule.code, shown.severity) == ("LOG001", "error")
    assert found(logged(store, lines, ignore=["LOG001"])) == {}
    assert kept("LIKE 'LOG%'") == []
    assert counted() == counts
    assert on_logs() == []


@pytest.mark.long("slow cases")
def test_a_new_run_is_not_compared_until_logs_are_read_again(tmp_path: Path) -> None:
    lines = [line(1, "/a"), line(31, "/a")]
    store = audited(tmp_path, "/a", "/b")
    assert found(logged(store, lines)) == {"LOG001": 1}

    def changes() -> dict[str, str]:
        since = page_of_run(store).since
        assert since is not None
        return {one.code: one.state for one in since.findings if one.code.startswith("LOG")}

    audited(tmp_path, "/a")
    assert page_of_run(store).crawl is None
    # Nothing is known of the new run yet, so nothing is called fixed.
    assert changes() == {"LOG001": "not-checked"}
    assert found(logged(store, lines)) == {}
    assert changes() == {"LOG001": "unlisted"}
    overview = page_of_run(store).crawl
    assert overview is not None
    assert overview.run_id == 2


def test_the_command(tmp_path: Path, ranges: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = audited(tmp_path, "/a", "/b")
    log = tmp_path / "access.log"
    log.write_text(line(1, "/a", 404) + line(31, "/a"))
    asked = ["logs", str(log), "--site", SITE, "--store", str(store), "--ranges", str(ranges), "--no-config"]
    assert main(asked) == 0
    text = capsys.readouterr().out
    assert "warning[LOG003]" in text
    assert "Compared with run 1:" in text
    assert main([*asked, "--fail-on", "warning", "--format", "csv", "-o", f"sarif:{tmp_path / 'x.sarif'}"]) == 1
    assert capsys.readouterr().out.startswith("agent,")
    sarif = json.loads((tmp_path / "x.sarif").read_text())
    assert {one["ruleId"] for one in sarif["runs"][0]["results"]} == {"LOG001", "LOG003"}
    assert main([*asked, "--format", "json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    schemas = [schema_of(name) for name in names()]
    registry: Registry[Any] = Registry().with_resources((one["$id"], Resource.from_contents(one)) for one in schemas)
    schema = registry.contents("urn:urlset:schema:logs:1")
    jsonschema.Draft202012Validator(schema, registry=registry).validate(whole)
    shown = whole["compared"]
    assert [one["code"] for one in shown["report"]["findings"]] == ["LOG003", "LOG001"]
    assert shown["crawlers"][0]["fetched"] == 1
    baseline = ["--baseline", str(tmp_path / "known.json")]
    assert main([*asked, *baseline, "--write-baseline"]) == 0
    assert main([*asked, *baseline, "--fail-on", "info", "--format", "concise"]) == 0
    assert "LOG0" not in capsys.readouterr().out


def test_sql_on_the_tables(tmp_path: Path) -> None:
    store = audited(tmp_path, "/a", "/b")
    logged(store, [line(1, "/a"), line(31, "/a"), line(2, "/c?x=1")])
    asked = "SELECT url, is_listed, hits, has_parameters FROM log_urls ORDER BY url"
    assert [tuple(row) for row in urlset.query(asked, store).rows] == [
        (f"{SITE}/a", True, 2, False),
        (f"{SITE}/b", True, 0, False),
        (f"{SITE}/c?x=1", False, 1, True),
    ]


@pytest.mark.long("slow cases")
def test_the_report_page(tmp_path: Path) -> None:
    store = audited(tmp_path, "/a", "/b")
    logged(store, [line(1, "/a"), line(31, "/a"), *(line(2, "/<script>x/y") for _ in range(10))])
    page = page_of_run(store)
    assert page.report is not None
    assert {one.rule.code for one in page.report.findings} >= {"LOG001", "LOG004"}
    html = "\n".join(render("report", "html", page))
    assert 'id="logs"' in html
    assert "2026-10-01 to 2026-10-31" in html
    assert "<script>x" not in html
