"""`urlset logs`, its reports, and queries of what it stored."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.access_logs.lines import BING, combined
from tests.cases import case_table

import urlset
from urlset.access_logs.log_reader import _audited_site
from urlset.model.access_log import LogsResult
from urlset.options import LogsOptions
from urlset.report.json_schema import schema as schema_of

SITE = ("--site", "https://example.com")
TEXT = combined("/a") + combined("/sitemap.xml", BING, status=304) + combined("/b", status=503) + "garbage\n"


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Callable[..., tuple[int, str, str]]
) -> Callable[..., tuple[int, str, str]]:
    monkeypatch.chdir(tmp_path)
    Path("access.log").write_text(TEXT)
    return cli


Run = Callable[..., tuple[int, str, str]]


def test_text(run: Run) -> None:
    code, out, _ = run("logs", "access.log", *SITE)
    assert code == 0
    assert "access.log: combined, 4 lines, 3 requests of crawlers, 0 of others" in out
    assert "warning: 1 line (25%) cannot be read as combined" in out
    assert "https://example.com/sitemap.xml" in out
    code, out, _ = run("logs", "access.log", *SITE)
    assert "access.log: nothing new since it was read before" in out
    assert "Googlebot" in out


@pytest.mark.long("slow cases")
def test_json_follows_its_schema(run: Run, tmp_path: Path) -> None:
    schema = schema_of("logs")
    (tmp_path / "ranges").mkdir()
    (tmp_path / "ranges/googlebot.json").write_text('{"prefixes": [{"ipv4Prefix": "66.249.66.0/24"}]}')
    code, out, err = run("logs", "access.log", "none.log", *SITE, "--ranges", "ranges", "--format", "json")
    assert code == 3
    assert "none.log: no such file" in err
    result = json.loads(out)
    Draft202012Validator(schema).validate(result)
    (log,) = result["logs"]
    assert (log["lines"], log["unreadable"], log["hits"]) == (4, 1, 3)
    assert [(one["agent"], one["verdict"], one["statuses"]) for one in result["crawlers"]] == [
        ("Googlebot", "verified", {"200": 1, "503": 1}),
        ("Bingbot", "unverified", {"304": 1}),
    ]
    assert result["sitemaps"][0]["last_status"] == 304


def test_csv(run: Run) -> None:
    code, out, _ = run("logs", "access.log", *SITE, "--format", "csv")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["agent"], row["hits"], row["status_5xx"]) for row in rows] == [
        ("Googlebot", "2", "1"),
        ("Bingbot", "1", "0"),
    ]


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(TEXT.encode().rstrip())

    monkeypatch.setattr("sys.stdin", Stdin)
    code, out, _ = run("logs", "-", *SITE)
    assert code == 0
    assert "<stdin>: combined, 4 lines" in out


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("logs", "access.log"), 2, "name its site with --site"),
        (("logs",), 2, "LOG"),
        (("logs", "other.log", *SITE), 2, "unknown log format"),
        (("logs", "none.log", *SITE), 3, "no such file"),
        (("logs", "access.log", "--site", "not a site"), 2, "site: must be a URL"),
        (("logs", "access.log", *SITE, "--log-format", "xml"), 2, "xml"),
        (("logs", "access.log", *SITE, "--store", "access.log"), 3, "not a DuckDB file"),
    ],
)
def test_what_is_wrong(arguments: tuple[str, ...], code: int, reason: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "other.log").write_text("what is this\n")
    found, _, err = run(*arguments)
    assert (found, reason in err) == (code, True), err


def test_more_than_half_unreadable(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.log").write_text(combined() * 60 + "garbage\n" * 100)
    code, out, err = run("logs", "bad.log", *SITE)
    assert code == 3
    assert "No requests of known crawlers" in out
    assert "bad.log: 100 lines of 160 cannot be read as combined" in err
    assert run("sql", "SELECT 1 FROM log_files", "urlset.duckdb")[0] == 3


def test_the_configuration_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "urlset.toml").write_text('[logs]\nsite = "https://example.com"\n[audit]\nstore = "kept.duckdb"\n')
    code, _, _ = run("logs", "access.log")
    assert code == 0
    assert (tmp_path / "kept.duckdb").exists()


def test_queries_of_a_store_with_logs_only(run: Run) -> None:
    run("logs", "access.log", *SITE)
    code, out, _ = run("sql", "SELECT url, hits FROM crawls ORDER BY url LIMIT 1", "urlset.duckdb", "--format", "csv")
    assert (code, out.splitlines()) == (0, ["url,hits", "https://example.com/a,1"])
    assert run("sql", "SELECT count(*) FROM urls", "urlset.duckdb")[0] == 0
    assert run("sql", "SELECT 1", "urlset.duckdb@1")[0] == 3


@pytest.mark.long("slow cases")
def test_queries_of_a_store_with_logs_and_runs(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sitemap.txt").write_text("https://example.com/a\nhttps://example.com/c\n")
    run("logs", "access.log", *SITE)
    run("audit", "sitemap.txt", "--no-pages", "--format", "none")
    query = "SELECT loc, hits FROM urls LEFT JOIN crawls ON url = loc ORDER BY loc"
    code, out, _ = run("sql", query, "urlset.duckdb", "--format", "csv")
    assert (code, out.splitlines()) == (0, ["loc,hits", "https://example.com/a,1", "https://example.com/c,"])
    assert run("history", "--keep", "1")[0] == 0
    assert run("sql", "SELECT count(*) FROM crawls", "urlset.duckdb", "--format", "csv")[1].splitlines()[1] == "3"


def test_python(run: Run, tmp_path: Path) -> None:
    result = urlset.logs(tmp_path / "access.log", site="https://example.com", store=tmp_path / "python.duckdb")
    assert isinstance(result, LogsResult)
    assert [(one.agent.name, one.hits) for one in result.crawlers] == [("Googlebot", 2), ("Bingbot", 1)]
    again: Any = urlset.logs([str(tmp_path / "*.log")], site="https://example.com", store=tmp_path / "python.duckdb")
    assert again.logs[0].lines == 0


def test_the_site_is_that_of_the_store(run: Run, tmp_path: Path, subtests: pytest.Subtests) -> None:
    sitemap = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{}</loc></url></urlset>'
    audit = ("audit", "sitemap.xml", "--no-pages", "--no-score", "--select", "LOC001", "--format", "none")
    (tmp_path / "sitemap.xml").write_text(sitemap.format("http://www.example.com/a"))
    assert run(*audit)[0] == 0
    code, out, _ = run("logs", "access.log")
    assert code == 0
    assert "Logs without host names are of http://www.example.com, the site of the runs in the store" in out
    result = json.loads(run("logs", "access.log", "--format", "json")[1])
    assert result["assumed_site"] == "http://www.example.com"
    assert result["logs"][0]["lines"] == 0  # It was read before, for the same site.
    for number, (given, site) in enumerate(
        {
            "example.com": "http://www.example.com",
            "www.example.com": "http://www.example.com",
            "https://example.com": "https://example.com",
            "shop.example": "https://shop.example",
        }.items()
    ):
        with subtests.test(given):
            Path("access.log").write_text(TEXT.replace("/a", f"/{number}"))
            assert run("logs", "access.log", "--site", given)[0] == 0
            query = f"SELECT DISTINCT site FROM crawls WHERE url LIKE '%/{number}'"
            assert [tuple(row) for row in urlset.query(query, "urlset.duckdb").rows] == [(site,)]
    (tmp_path / "sitemap.xml").write_text(sitemap.format("https://a.example/") + "\n")
    (tmp_path / "other.xml").write_text(sitemap.format("https://b.example/"))
    assert run("audit", "sitemap.xml", "other.xml", *audit[2:])[0] == 0
    (tmp_path / "unread.log").write_text(combined("/unread"))
    code, _, err = run("logs", "unread.log")
    assert (code, "the log has no host names; name its site with --site" in err) == (2, True)


@case_table(
    "site, audited, expected",
    {
        "its host, not one that is alike": ("www.example.com", "https://example.com http://www.example.com", 1),
        "its scheme": ("example.com", "http://example.com https://www.example.com", 0),
        "one that is alike": ("www.example.com", "http://example.com https://other.example", 0),
    },
)
def test_a_site_without_a_scheme_is_the_audited_one(site: str, audited: str, expected: int) -> None:
    sites = audited.split()
    assert _audited_site(LogsOptions(site=site), sites) == sites[expected]
