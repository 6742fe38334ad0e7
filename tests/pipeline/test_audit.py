"""`audit`: every planted fault once and nothing else, and what is kept."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import duckdb
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from tests.loopback import served

from urlset.cli.main import main
from urlset.errors import InputError, UsageError
from urlset.model.audit import AuditResult, Share
from urlset.options import AuditOptions
from urlset.pipeline.audit import audit, unheeded_delays
from urlset.report.json_schema import schema as schema_of
from urlset.store.file import Store
from urlset.store.results import read_results
from urlset.web.robots_txt import Robots

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "audit" / "serve.py"))


def options(store: Path, **given: Any) -> AuditOptions:
    # The site is on loopback, which is a fault of every URL in it.
    rules = {"ignore": ("LOC024",), "preview": True} | given.pop("rules", {})
    reading: dict[str, Any] = {"retries": 0, "cache": False, "discover": True, "expand": True}
    return AuditOptions(store=store, max_examples=100, **reading, **rules, **given)


LITTLE: Mapping[str, Any] = {"select": ("LOC001",)}
"""For tests whose subject are not the rules."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with EXAMPLE["serving"]() as origin:
        yield origin


@pytest.fixture(scope="module")
def audited(site: str, tmp_path_factory: pytest.TempPathFactory) -> AuditResult:
    """The site, audited once by all rules for the tests that only read the result and its store."""
    return audit([site], options(tmp_path_factory.mktemp("audited") / "kept.duckdb"))


def test_each_planted_fault_is_found_once_at_its_place_and_nothing_else_is(site: str, tmp_path: Path) -> None:
    result = audit([site], options(tmp_path / "kept.duckdb", images=True))
    found = sorted(
        (finding.rule.code, example.line) for finding in result.report.findings for example in finding.examples
    )
    planted = sorted(
        (code, EXAMPLE["line_of"](path)) for path, page in EXAMPLE["PAGES"].items() for code in page.get("faults", ())
    )
    assert found == planted
    assert len({code for code, _ in planted}) >= 25
    assert all(finding.count == len(finding.examples) for finding in result.report.findings)


def test_each_url_is_requested_once(tmp_path: Path) -> None:
    """Also the home page, which is searched for sitemaps and then read as a listed page."""
    asked: list[str] = []

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            # A page in another format is another question.
            asked.append(f"{self.path} {self.headers['Accept']}")
            origin = f"http://{self.headers['Host']}"
            body, kind = {
                "/": ("<title>Home</title><p>Welcome", "text/html"),
                "/robots.txt": (f"User-agent: *\nAllow: /\nSitemap: {origin}/sitemap.xml\n", "text/plain"),
                "/sitemap.xml": (
                    f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{origin}/</loc></url></urlset>',
                    "application/xml",
                ),
            }.get(self.path, (None, "text/plain"))
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write((body or "").encode())

        def log_message(self, *_: object) -> None:
            """Be silent."""

    with served(Site) as origin:
        result = audit([origin], options(tmp_path / "kept.duckdb"))
    assert result.checks[0].status == "pass"
    assert Counter(asked) == Counter({*asked})
    assert Counter(each.partition(" ")[0] for each in asked if "markdown" not in each)["/"] == 1


def links_planted() -> list[tuple[str, int]]:
    """The planted faults of links, as a crawl finds them."""
    return sorted(
        (code, EXAMPLE["line_of"](path))
        for path, page in EXAMPLE["PAGES"].items()
        for code in page.get("link_faults", ())
    )


@pytest.mark.parametrize("crawl", [False, True])
def test_each_planted_fault_of_links_is_found_once_and_nothing_else_is(site: str, tmp_path: Path, crawl: bool) -> None:
    result = audit([site], options(tmp_path / "kept.duckdb", links=True, crawl=crawl, rules={"select": ("LNK",)}))
    found = sorted(
        (finding.rule.code, example.line) for finding in result.report.findings for example in finding.examples
    )
    planted = links_planted()
    if not crawl:
        # Without a crawl, unlisted pages are not read: they may link to the orphan, and may be not indexable.
        planted = sorted(("LNK001" if code == "LNK002" else code, line) for code, line in planted if code != "LNK003")
    assert found == planted
    assert all(finding.count == len(finding.examples) for finding in result.report.findings)
    assert result.links is not None
    assert (result.links.basis, result.links.crawled) == (("crawl", 1) if crawl else ("listed", 0))
    linked = sum(page.get("linked", True) for page in EXAMPLE["PAGES"].values()) - 1
    assert result.links.depths[:2] == ((0, 1), (1, linked))
    assert result.links.depths[3:] == ((3, 1), (4, 1), (5, 1), (6, 1))


@pytest.mark.long("slow cases")
def test_what_is_kept(audited: AuditResult) -> None:
    result = audited
    count = len(EXAMPLE["PAGES"])
    with duckdb.connect(str(result.store), read_only=True) as store:
        [(pages, skipped)] = store.execute("SELECT count(*), count(skipped) FROM pages").fetchall()
        [(findings,)] = store.execute("SELECT count(*) FROM findings").fetchall()
        [row] = store.execute("SELECT documents, urls, pages, errors FROM runs").fetchall()
        robots = store.execute("SELECT agent, pattern FROM robots ORDER BY ALL").fetchall()
    assert (pages, skipped) == (count, 1)
    assert findings == sum(len(finding.examples) for finding in result.report.findings)
    assert row == (2, count, count - 1, result.report.summary.errors)
    assert robots == [("*", "/closed/"), ("CCBot", "/"), ("GPTBot", "/")]
    assert result.pages is not None
    assert (result.pages.listed, result.pages.fetched, result.pages.blocked) == (count, count - 1, 1)
    by_name = {one.agent.name: one for one in result.agents}
    assert (by_name["GPTBot"].urls, by_name["GPTBot"].blocked) == (count, count)
    assert by_name["Googlebot"].blocked == 1
    assert by_name["Googlebot"].sections == (("127.0.0.1/closed/", 1, 1),)


@pytest.mark.long("slow cases")
def test_a_second_run_is_compared_with_the_first(site: str, audited: AuditResult, tmp_path: Path) -> None:
    assert audited.earlier_run is None
    assert audited.store is not None
    path = tmp_path / "kept.duckdb"
    shutil.copy(audited.store, path)
    with Store.create(path) as store:
        # As if the text had been another one, and a date an earlier one.
        store.connection.execute("UPDATE pages SET content_hash = 1 WHERE url LIKE '%/chairs'")
        store.connection.execute("UPDATE pages SET lastmod_at = '2025-01-01' WHERE url LIKE '%/copy'")
    result = audit([site], options(path, rules={"select": ("MOD015", "MOD016")}))
    assert result.earlier_run == 1
    assert {
        (finding.rule.code, example.line) for finding in result.report.findings for example in finding.examples
    } == {("MOD016", EXAMPLE["line_of"]("/chairs")), ("MOD015", EXAMPLE["line_of"]("/copy"))}


@pytest.mark.long("slow cases")
def test_forbidden_pages_if_asked(site: str, tmp_path: Path) -> None:
    asked = options(tmp_path / "kept.duckdb", ask_forbidden=True, rules={"select": ("ROB009",)})
    result = audit([site], asked)
    assert result.pages is not None
    assert result.pages.fetched == len(EXAMPLE["PAGES"])
    assert [finding.rule.code for finding in result.report.findings] == ["ROB009"]


def test_a_sample_says_how_sure_it_is(site: str, tmp_path: Path) -> None:
    result = audit([site], options(tmp_path / "kept.duckdb", sample=10, exclude=("*/closed/*",), rules=LITTLE))
    assert result.pages is not None
    assert (result.pages.fetched, result.pages.listed) == (10, len(EXAMPLE["PAGES"]) - 1)
    good = result.pages.good
    assert 0 < good.low < good.part / good.whole < good.high < 1


def test_the_interval_is_wilsons() -> None:
    # https://www.itl.nist.gov/div898/handbook/prc/section2/prc241.htm: 4 of 20 gives 0.0807 to 0.4160 at 95 %.
    share = Share.of(4, 20, 1_000)
    assert (round(share.low, 4), round(share.high, 4)) == (0.0807, 0.4160)
    assert Share.of(4, 20, 20) == Share(4, 20, 0.2, 0.2)
    assert Share.of(0, 0, 0) == Share(0, 0, 0.0, 1.0)


@pytest.mark.long("slow cases")
def test_without_looking_at_pages(site: str, tmp_path: Path) -> None:
    result = audit([site], options(tmp_path / "kept.duckdb", pages=False))
    assert result.pages is None
    assert result.agents
    assert not [finding for finding in result.report.findings if finding.rule.needs_pages]


def test_an_inventory(site: str, tmp_path: Path) -> None:
    listed = [path for path in EXAMPLE["PAGES"] if path != "/chairs"]
    inventory = tmp_path / "there.txt"
    inventory.write_text("\n".join([f"{site}{path}" for path in [*listed, "/unlisted"]] + ["# a comment", ""]), "utf-8")
    found = audit([site], options(tmp_path / "kept.duckdb", pages=False, inventory=inventory, rules=LITTLE)).inventory
    assert found is not None
    assert (found.known, found.unlisted, found.unknown) == (len(listed) + 1, 1, 1)
    assert (found.unlisted_examples, found.unknown_examples) == ((f"{site}/unlisted",), (f"{site}/chairs",))


def test_misuse(site: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.duckdb"
    with pytest.raises(UsageError, match="no target given; use `urlset audit"):
        audit([], options(path))
    with pytest.raises(UsageError, match="no unfinished run to resume"):
        audit([], options(path, resume=True))
    with pytest.raises(InputError, match=r"there\.txt: cannot be read: no such file"):
        audit([site], options(path, inventory=tmp_path / "there.txt"))


def test_a_run_of_another_version_is_not_resumed(site: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.duckdb"
    audit([site], options(path, pages=False, rules=LITTLE))
    with duckdb.connect(str(path)) as store:
        store.execute("UPDATE runs SET version = '0.0.9', finished_at = NULL")
    with pytest.raises(UsageError, match=r"run 1 was started by urlset 0\.0\.9, which can resume it; this is "):
        audit([], options(path, resume=True))


def test_a_store_is_written_by_one_process_at_a_time(site: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.duckdb"
    command = [sys.executable, "-m", "urlset", "audit", site, "--store", str(path), "--no-config", "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with Store.create(path):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr == f"urlset: {path}: is in use by another process\n"


def schema() -> Draft202012Validator:
    published = [schema_of(name) for name in ("validate", "check", "audit")]
    registry: Registry[Any] = Registry().with_resources((one["$id"], Resource.from_contents(one)) for one in published)
    return Draft202012Validator(published[-1], registry=registry)


def test_the_command(site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "kept.duckdb")
    common = ["--store", store, "--no-config", "--no-cache", "--retries", "0", "--ignore", "LOC024"]
    assert main(["audit", site, *common]) == 1
    text = capsys.readouterr().out
    for part in (
        "not found",
        "Sitemap check: ",
        "Page health: ",
        "Pages: ",
        "1 blocked by robots.txt",
        "GPTBot",
        "all blocked",
        "Saved as run 1 in ",
    ):
        assert part in text
    assert main(["audit", site, *common, "--format", "json", "--fail-on", "never", "--sample", "5"]) == 0
    values = json.loads(capsys.readouterr().out)
    schema().validate(values)
    assert values["run"] == 2
    assert main(["audit", "--store", store, "--resume", "--no-config"]) == 2
    assert "no unfinished run to resume; start one with `urlset audit ORIGIN`" in capsys.readouterr().err


@pytest.mark.long("slow cases")
def test_one_sitemap_is_checked_against_robots_txt_as_a_site_is(
    site: str, audited: AuditResult, tmp_path: Path
) -> None:
    by_site = audited
    result = audit([f"{site}/sitemap.xml"], options(tmp_path / "kept.duckdb"))
    found = sorted(
        (finding.rule.code, example.line) for finding in result.report.findings for example in finding.examples
    )
    planted = sorted(
        (finding.rule.code, example.line) for finding in by_site.report.findings for example in finding.examples
    )
    assert found == planted
    assert ("ROB009", EXAMPLE["line_of"]("/closed/page")) in found
    assert result.agents == by_site.agents != ()


def test_page_health_is_the_share_of_listed_pages_that_are_indexable(audited: AuditResult) -> None:
    result = audited
    assert result.pages is not None
    # A page that a rule of robots.txt forbids counts as not indexable. One that could not be checked does not count,
    # nor one whose content makes that unknown.
    unknown = {"PGE002", "PGE004", "PGE016", "PGE026"}
    known = [page for page in EXAMPLE["PAGES"].values() if not unknown & set(page.get("faults", ()))]
    assert (result.pages.good.whole, result.pages.blocked) == (len(known), 1)
    bad = {"PGE001", "PGE003", *(f"PGE{number:03}" for number in (5, 6, 7, 8, 9, 10, 14, 15, 18, 19, 21)), "ROB009"}
    planted = [page for page in known if bad & set(page.get("faults", ()))]
    assert result.pages.good.part == len(known) - len(planted)
    assert result.store is not None
    assert result.run_id is not None
    with Store.read(result.store) as store:
        kept = read_results(store, result.run_id).pages
    assert kept == result.pages


def test_private_pages_of_a_local_file_are_said_to_be_kept_out(
    site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = "".join(f"<url><loc>{site}{path}</loc></url>" for path in ("/", "/chairs"))
    sitemap = tmp_path / "sitemap.xml"
    sitemap.write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>', "utf-8")
    common = ["--store", str(tmp_path / "kept.duckdb"), "--no-config", "--no-cache", "--select", "LOC001"]
    assert main(["audit", str(sitemap), *common]) == 3
    told = capsys.readouterr()
    assert "fetched 0 of 2 listed pages, 2 on private addresses (use --allow-private to fetch them)" in told.out
    assert "listed pages: none of 2 pages could be requested: 2 pages are on private addresses" in told.out
    assert main(["audit", str(sitemap), *common, "--format", "json"]) == 3
    values = json.loads(capsys.readouterr().out)
    schema().validate(values)
    assert (values["pages"]["private"], values["pages"]["health"]["pages"]) == (2, 0)
    assert main(["audit", str(sitemap), *common, "--allow-private"]) == 0
    assert "Page health: 2 of 2 listed pages (100.0%) are indexable at their listed URL" in capsys.readouterr().out
    sitemap.write_text(sitemap.read_text("utf-8").replace(f"<url><loc>{site}/chairs</loc></url>", ""), "utf-8")
    assert main(["audit", str(sitemap), *common, "--allow-private"]) == 0
    assert "Page health: 1 of 1 listed page (100.0%) is indexable at its listed URL" in capsys.readouterr().out


@pytest.mark.long("slow cases")
def test_pages_that_are_read_only_in_part_are_counted(
    site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = "".join(f"<url><loc>{site}{path}</loc></url>" for path in ("/", "/chairs"))
    sitemap = tmp_path / "sitemap.xml"
    sitemap.write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>', "utf-8")
    store = tmp_path / "kept.duckdb"
    common = ["--store", str(store), "--no-config", "--no-cache", "--select", "LOC001", "--allow-private"]
    # Past the head and before the end of either page.
    assert main(["audit", str(sitemap), *common, "--set", "audit.max-page-bytes=400"]) == 0
    told = capsys.readouterr().out
    assert "Pages: fetched 2 of 2 listed pages, 2 read only in part" in told
    assert "Page health: 2 of 2 listed pages (100.0%)" in told
    with duckdb.connect(str(store), read_only=True) as kept:
        assert kept.execute("SELECT complete, error_kind FROM pages").fetchall() == [(False, "too-large")] * 2
    assert main(["audit", str(sitemap), *common, "--format", "json"]) == 0
    values = json.loads(capsys.readouterr().out)
    schema().validate(values)
    assert values["pages"]["partial"] == 0


@pytest.mark.parametrize(
    ("robots", "rate", "note"),
    [
        (
            "User-agent: *\nCrawl-delay: 10\n",
            None,
            "Crawl-delay: 10 (line 2) is not obeyed; use --rate 0.1 to request one URL every 10 s",
        ),
        (
            "User-agent: urlset\nCrawl-delay: 0.5\n",
            5,
            "Crawl-delay: 0.5 (line 2) is not obeyed; use --rate 2 to request one URL every 0.5 s",
        ),
        ("User-agent: *\nCrawl-delay: 0.01\n", 100, None),
        ("User-agent: Bingbot\nCrawl-delay: 10\n", None, None),
        ("User-agent: *\nCrawl-delay: soon\n", None, None),
        ("User-agent: *\nCrawl-delay: 0\n", None, None),
        ("User-agent: urlset\nAllow: /\nUser-agent: *\nCrawl-delay: 10\n", None, None),
    ],
)
def test_a_crawl_delay_that_is_not_obeyed_is_said(robots: str, rate: float | None, note: str | None) -> None:
    found = Robots.parse(robots.encode(), "https://example.com/robots.txt")
    notes = [*unheeded_delays([(0, found)], AuditOptions().robots_agent, rate)]
    assert notes == ([] if note is None else [f"https://example.com/robots.txt: {note}"])
