"""The functions that do what `sql`, `robots`, `rules` and `explain` do: the same answers as the commands print."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.cli.main import main
from urlset.errors import ConfigError, InputError, QueryError, UsageError
from urlset.options import QueryOptions, RobotsOptions
from urlset.report.json_outputs import ROBOTS
from urlset.web.agents import KNOWN_AGENTS

Cli = Callable[..., Any]

SITEMAP = b"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/b</loc></url>
<url><loc>/a</loc></url>
</urlset>"""

CONFIG = """\
severity = { LOC001 = "warning" }

[limits]
max-url-length = 100

[[rule]]
code = "OWN001"
name = "no-drafts"
where = "loc like '%/drafts/%'"
message = "a draft is listed"
fix = "Leave it out"
sources = ["https://example.com/style"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.xml").write_bytes(SITEMAP)
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /b\n", encoding="utf-8")
    (tmp_path / "rules.toml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


# query


@pytest.mark.parametrize(
    "sql",
    [
        "select line, loc from urls order by loc",
        "select code, severity from findings order by all",
        "select count(*) as n from documents",
        "select loc from urls where false",
    ],
)
def test_a_query_gives_the_rows_of_the_command(cli: Cli, folder: Path, sql: str) -> None:
    result = urlset.query(sql, "s.xml")
    printed = json.loads(cli("sql", sql, "s.xml", "--format", "json").out)
    assert [dict(zip(result.columns, row, strict=True)) for row in result.rows] == printed
    assert len(result.columns) == len(result.types)
    assert not result.unreadable


def test_a_query_takes_every_kind_of_target(folder: Path) -> None:
    sql = "select count(*) from urls"
    with (folder / "s.xml").open("rb") as file:
        targets: list[Any] = [folder / "s.xml", SITEMAP, file, ["s.xml", SITEMAP]]
        found = [urlset.query(sql, target).rows for target in targets]
    assert found == [[(2,)], [(2,)], [(2,)], [(4,)]]


def test_what_a_query_cannot_read_is_said(folder: Path) -> None:
    result = urlset.query("select count(*) from urls", ["s.xml", "none.xml"])
    assert result.rows == [(2,)]
    assert [one.target for one in result.unreadable] == ["none.xml"]


def test_a_query_of_a_store(folder: Path) -> None:
    urlset.audit("s.xml", store="kept.duckdb", pages=False)
    sql = "select loc from urls order by loc"
    store = folder / "kept.duckdb"
    assert urlset.query(sql, store).rows == [("/a",), ("https://example.com/b",)]
    assert urlset.query(sql, f"{store}@1").rows == urlset.query(sql, store).rows
    with pytest.raises(InputError, match="no run 7"):
        urlset.query(sql, f"{store}@7")
    with pytest.raises(UsageError, match="a store cannot be combined with other targets"):
        urlset.query(sql, [store, SITEMAP])
    with pytest.raises(InputError):
        urlset.query(sql, "missing.duckdb")


def test_a_query_goes_by_its_configuration(folder: Path) -> None:
    sql = "select code, severity from findings where code = 'LOC001'"
    assert urlset.query(sql, SITEMAP).rows == [("LOC001", "error")]
    assert urlset.query(sql, SITEMAP, config="rules.toml").rows == [("LOC001", "warning")]
    assert urlset.query(sql, SITEMAP, QueryOptions(ignore=("LOC",))).rows == []


@pytest.mark.parametrize(
    ("sql", "fields", "error", "message"),
    [
        ("select nothing from urls", {}, QueryError, "nothing"),
        ("selec 1", {}, QueryError, "syntax error"),
        ("drop table urls", {}, UsageError, "SELECT"),
        ("from read_text('s.xml')", {}, QueryError, "allow"),
        ("select 1", {"memory": "much"}, UsageError, "memory: must be a size such as 2GB, not 'much'"),
        ("select 1", {"max_time": -1}, UsageError, "max_time: must be"),
        ("select 1", {"max_tim": 1}, UsageError, "max_time"),
        ("select 1", {"select": ["NONE"]}, UsageError, "no rule has a code"),
        ("select 1", {"config": "none.toml"}, ConfigError, r"none\.toml"),
        ("select sum(hash(a.range * b.range)) from range(1000000) a, range(1000000) b", {"max_time": 0.2}, QueryError,
         "longer than 0.2 s"),
    ],
)  # fmt: skip
def test_a_wrong_query(folder: Path, sql: str, fields: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        urlset.query(sql, SITEMAP, **fields)


def test_a_query_may_read_files_if_it_is_allowed_to(folder: Path) -> None:
    sql = "select size from read_text('s.xml')"
    assert urlset.query(sql, SITEMAP, allow_files=True).rows == [(len(SITEMAP),)]


# check_robots


@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        ((), {}),
        (("/a", "/b"), {}),
        (("/b",), {"agents": ["GPTBot", "Bingbot"]}),
        (("/b",), {"all_agents": True}),
        (("/b",), {"all_agents": True, "agents": ["MyBot", "Bingbot"]}),
    ],
)
def test_robots_are_what_the_command_prints(
    cli: Cli, folder: Path, arguments: tuple[str, ...], fields: dict[str, Any]
) -> None:
    report = urlset.check_robots(folder / "robots.txt", arguments, **fields)
    options = [f"--agents={','.join(fields['agents'])}"] if "agents" in fields else []
    options += ["--all-agents"] * ("all_agents" in fields)
    done = cli("robots", str(folder / "robots.txt"), *arguments, *options, "--format", "json")
    assert json.loads("\n".join(ROBOTS.json(report))) == json.loads(done.out)
    assert done.code == report.forbids


def test_robots_of_a_sitemap_and_of_one_url(cli: Cli, folder: Path) -> None:
    report = urlset.check_robots(str(folder), "/b", RobotsOptions(agents=("GPTBot",)), urls_from="s.xml")
    assert report.agents == ("GPTBot",)
    assert [asked.url for asked in report.urls] == ["/b"]
    assert [(asked.name, asked.urls) for asked in report.sitemaps] == [("s.xml", 2)]
    done = cli("robots", str(folder), "/b", "--agents", "GPTBot", "--urls-from", "s.xml", "--format", "json")
    assert json.loads("\n".join(ROBOTS.json(report))) == json.loads(done.out)


def test_all_known_crawlers_are_checked_in_their_order(folder: Path) -> None:
    known = [known.name for known in KNOWN_AGENTS]
    assert list(urlset.check_robots(folder, all_agents=True).agents) == known
    assert list(urlset.check_robots(folder, all_agents=True, agents=["MyBot"]).agents) == ["MyBot", *known]


def test_robots_go_by_a_configuration(cli: Cli, folder: Path) -> None:
    Path("urlset.toml").write_text('agents = ["GPTBot", "Bingbot"]\n')
    Path("robots.txt").write_text("User-agent: *\nDisallow: /a\n")
    found = urlset.check_robots("robots.txt", "/a", config="urlset.toml")
    assert found.agents == ("GPTBot", "Bingbot")
    printed = json.loads(cli("robots", "robots.txt", "/a", "--config", "urlset.toml", "--format", "json").out)
    agents = [verdict["agent"] for verdict in printed["urls"][0]["verdicts"]]
    assert agents == list(found.urls[0].verdicts or ()) == ["GPTBot", "Bingbot"]
    assert urlset.check_robots("robots.txt", "/a", config="urlset.toml", agents=["Slurp"]).agents == ("Slurp",)
    with pytest.raises(UsageError, match="options and config cannot be combined"):
        urlset.check_robots("robots.txt", "/a", RobotsOptions(), config="urlset.toml")
    with pytest.raises(ConfigError, match=r"gone\.toml"):
        urlset.check_robots("robots.txt", "/a", config="gone.toml")


def test_every_function_of_a_command_takes_its_configuration(folder: Path) -> None:
    Path("urlset.toml").write_text("max-document-bytes = 20\n")
    document = urlset.inspect("s.xml", config="urlset.toml").documents[0]
    assert document.facts["complete"] is False
    assert urlset.inspect("s.xml").documents[0].facts["complete"] is True
    fixed = urlset.fix("s.xml", config="urlset.toml")
    assert fixed.documents[0].content != urlset.fix("s.xml").documents[0].content
    for function in (urlset.discover, urlset.check):
        with pytest.raises(ConfigError, match=r"gone\.toml"):
            function("example.com", config="gone.toml")


@pytest.mark.parametrize("targets", [[], (), iter(())], ids=["list", "tuple", "iterator"])
def test_a_query_needs_a_target(targets: Any) -> None:
    with pytest.raises(UsageError, match="no target to query; give files, directories, URLs, or a store"):
        urlset.query("select loc from urls", targets)


@pytest.mark.parametrize(
    ("sql", "fields", "message"),
    [
        ("select * from read_csv('x.csv')", {}, "allow it to read files with allow_files"),
        (
            "select count(*) from range(100000000) a, range(100000) b",
            {"max_time": 0.2},
            "raise the limit with max_time",
        ),
        ("select list(a) from range(90000000) t(a)", {"memory": "20MB"}, "raise the limit with memory"),
    ],
)
def test_an_error_names_the_option_as_it_is_spelled_there(
    sql: str, fields: dict[str, Any], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(QueryError) as caught:
        urlset.query(sql, SITEMAP, **fields)
    assert message in str(caught.value)
    assert "--" not in str(caught.value)
    flags = [word for name, value in fields.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    assert main(["sql", sql, "s.xml", *flags]) == (3 if "memory" in fields else 2)
    before, _, option = message.rpartition(" ")
    assert f"{before} --{option.replace('_', '-')}" in capsys.readouterr().err


def test_robots_that_cannot_be_read(folder: Path) -> None:
    with pytest.raises(InputError, match=r"none\.txt"):
        urlset.check_robots("none.txt")
    with pytest.raises(InputError, match=r"none\.xml"):
        urlset.check_robots("robots.txt", urls_from=[Path("none.xml")])
    with pytest.raises(UsageError, match="unknown option 'agent'"):
        urlset.check_robots("robots.txt", agent="GPTBot")  # type: ignore[call-arg]
    report = urlset.check_robots("http://127.0.0.1:1/", "/", allow_private=True, retries=0, cache=False)
    assert report.reason is not None
    assert "connection refused" in report.reason


# list_rules and explain_rule


@pytest.mark.parametrize("config", [None, "rules.toml"])
def test_rules_are_those_that_the_command_lists(cli: Cli, folder: Path, config: str | None) -> None:
    found = urlset.list_rules(config=config)
    done = cli("rules", "--format", "json", *(["--no-config"] if config is None else ["--config", config]))
    listed = json.loads(done.out)["rules"]
    assert [(rule.code, str(rule.severity), rule.message) for rule in found] == [
        (rule["code"], rule["severity"], rule["message"]) for rule in listed
    ]
    severities = {rule.code: str(rule.severity) for rule in found}
    assert severities["LOC001"] == ("error" if config is None else "warning")
    assert ("OWN001" in severities) is (config is not None)


@pytest.mark.parametrize("code", ["LOC001", "loc003", " own001 "])
def test_a_page_is_what_the_command_prints(cli: Cli, folder: Path, code: str) -> None:
    page = urlset.explain_rule(code, config="rules.toml")
    assert page == cli("explain", code, "--config", "rules.toml").out
    assert page.startswith(f"# {code.strip().upper()}: ")


def test_a_page_goes_by_single_options() -> None:
    assert "Severity: info (default: error)." in urlset.explain_rule("LOC001", severity={"LOC001": "info"})
    assert "Severity: error. " in urlset.explain_rule("LOC001")


def test_rules_that_do_not_exist(folder: Path) -> None:
    with pytest.raises(UsageError, match="LOC003"):
        urlset.explain_rule("LOC0003")
    with pytest.raises(UsageError, match="OWN001"):
        urlset.explain_rule("OWN001")
    with pytest.raises(UsageError, match="no rule has a code"):
        urlset.list_rules(severity={"NONE": "error"})
    (folder / "broken.toml").write_text(CONFIG.replace("like", "lik"), encoding="utf-8")
    with pytest.raises(ConfigError, match="OWN001"):
        urlset.list_rules(config="broken.toml")
    with pytest.raises(ConfigError, match=r"none\.toml"):
        urlset.explain_rule("LOC003", config="none.toml")


def test_errors_are_where_the_package_says() -> None:
    assert urlset.errors.QueryError is QueryError
    assert issubclass(urlset.errors.UsageError, urlset.UrlsetError)
    assert not {"UsageError", "ConfigError", "InputError", "OutputError"} & set(urlset.__all__)


def test_the_repr_of_a_result_counts_its_rows(folder: Path) -> None:
    report = urlset.validate("s.xml")
    assert f"findings=<{len(report.findings)} item" in repr(report)
    assert len(repr(report)) < 500
    assert len(repr(urlset.query("select * from urls, range(10000)", "s.xml"))) < 300


def test_an_output_that_is_a_page_is_the_report(folder: Path, cli: Cli) -> None:
    assert cli("validate", "s.xml", "-o", "a.html", "-o", "a.json").code == 1
    assert (folder / "a.html").read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    assert json.loads((folder / "a.json").read_text(encoding="utf-8"))["findings"]


def test_rules_and_explain_take_names_and_prefixes(cli: Cli) -> None:
    assert cli("explain", "page-noindex").out == cli("explain", "PGE008").out
    lines = [line for line in cli("rules", "PGE", "hrl00").out.splitlines() if line.startswith("  ")]
    assert {line.split()[0][:3] for line in lines} == {"PGE", "HRL"}
    assert "unknown rule 'XYZ'" in cli("rules", "XYZ").err
    assert "  validate" in cli("help").out
