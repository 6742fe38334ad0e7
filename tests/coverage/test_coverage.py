"""`coverage`: the funnel, with what is unknown left blank, its rules on a store, and all output formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from urlset import _core, api, report_page
from urlset.cli.main import main
from urlset.coverage.render import notes
from urlset.engine.page_verdicts import update_verdicts
from urlset.errors import InputError, UsageError
from urlset.model.coverage import FunnelRow, InspectResult, ReasonCount, Step
from urlset.report import json_schema

Audited = Callable[[Mapping[str, Sequence[str]]], Path]
Export = Callable[..., Path]

SHOP = [f"https://example.com/shop/{number}" for number in range(6)]
BLOG = [f"https://example.com/blog/{number}" for number in range(4)]
NOTHING = Step(0, 0, 0)


def reported(export: Export, store: Path, reason: str | None, *urls: str, day: str = "2026-11-20") -> None:
    meta = "Property,Value\nSitemap,All known pages\n" + (f'Issue,"{reason}"\n' if reason else "")
    table = "URL,Last crawled\n" + "\n".join(f"{url}," for url in urls)
    path = export({"c": f"Date,Affected pages\n{day},1\n", "t": table, "m": meta})
    api.import_coverage(path, store=store)


def crawled(store: Path, *urls: str, agent: str = "Googlebot", verdict: str = "verified") -> None:
    with duckdb.connect(str(store)) as connection:
        for url in urls:
            connection.execute(
                "INSERT INTO crawls (site, url, page_hash, agent, verdict, first_at, last_at, hits) "
                "VALUES (regexp_extract($1, '^https?://[^/]+'), $1, $2, $3, $4, '2026-10-01', '2026-11-01', 1)",
                [url, _core.page_hash(url), agent, verdict],
            )


def codes(result: Any) -> dict[str, list[str]]:
    return {
        finding.rule.code: [example.url or "" for example in finding.examples] for finding in result.report.findings
    }


@pytest.fixture
def store(audited: Audited) -> Path:
    return audited({"shop.xml": SHOP, "blog.xml": [*BLOG, SHOP[0]]})


def test_without_reports_and_logs_everything_is_unknown(store: Path) -> None:
    result = api.coverage(store=store)
    funnel = result.funnel
    unknown = Step(0, 0, 10)
    assert funnel.total == FunnelRow("", 10, unknown, unknown, unknown)
    assert (funnel.engine, funnel.logs, funnel.unlisted) == (None, None, None)
    assert not result.report.findings


def test_each_step_counts_what_is_known(store: Path, export: Export) -> None:
    reported(export, store, None, *SHOP[:3])
    reported(export, store, "Discovered - currently not indexed", SHOP[3])
    reported(export, store, "A reason with robots.txt", SHOP[4])
    funnel = api.coverage(store=store).funnel
    assert funnel.engine == "google"
    assert funnel.total.indexed == Step(3, 1, 6)
    # Google never crawled one of them; nothing says whether it crawled the others.
    assert funnel.total.fetched == Step(0, 1, 9)
    assert funnel.reasons == (
        ReasonCount("indexed", 3),
        ReasonCount("A reason with robots.txt", 1),
        ReasonCount("discovered-not-indexed", 1),
    )
    rows = {row.name.rsplit("/", 1)[1]: row for row in funnel.rows}
    # The URL that both sitemaps list counts for both, but once in total.
    assert (rows["shop.xml"].listed, rows["blog.xml"].listed, funnel.total.listed) == (6, 5, 10)
    assert rows["shop.xml"].indexed == Step(3, 1, 2)
    assert rows["blog.xml"].indexed == Step(1, 0, 4)


def test_by_section(store: Path, export: Export) -> None:
    reported(export, store, None, *BLOG)
    funnel = api.coverage(store=store, by="section", rows=1).funnel
    assert [(row.name, row.listed) for row in funnel.rows] == [("example.com/shop/", 6)]
    assert funnel.more_rows == 1
    funnel = api.coverage(store=store, by="section", rows=0).funnel
    assert [(row.name, row.indexed) for row in funnel.rows] == [
        ("example.com/shop/", Step(0, 0, 6)),
        ("example.com/blog/", Step(4, 0, 0)),
    ]


@pytest.mark.long("slow cases")
def test_requests_in_the_logs_count_as_fetched(store: Path, export: Export) -> None:
    crawled(store, SHOP[0], "https://EXAMPLE.com:443/shop/1")
    crawled(store, SHOP[2], verdict="impostor")
    crawled(store, SHOP[3], agent="GPTBot")
    funnel = api.coverage(store=store).funnel
    assert funnel.total.fetched == Step(2, 8, 0)
    reported(export, store, None, SHOP[5])
    assert api.coverage(store=store).funnel.total.fetched == Step(2, 8, 0)


def test_a_host_that_the_logs_lack_stays_unknown(audited: Audited) -> None:
    store = audited({"a.xml": [*SHOP, "https://www.example.com/a"]})
    crawled(store, SHOP[0])
    assert api.coverage(store=store).funnel.total.fetched == Step(1, 5, 1)


def test_the_newest_report_decides_but_not_one_without_a_state(store: Path, export: Export) -> None:
    reported(export, store, "Not found (404)", SHOP[0], day="2026-11-01")
    reported(export, store, None, SHOP[0], day="2026-11-10")
    reported(export, store, "A reason with robots.txt", SHOP[0], day="2026-11-20")
    assert api.coverage(store=store).funnel.total.indexed == Step(1, 0, 9)


def test_another_search_engine(store: Path, export: Export, tmp_path: Path) -> None:
    reported(export, store, None, SHOP[0])
    path = tmp_path / "seznam.csv"
    path.write_text(f"u,s\n{SHOP[1]},indexed\n{SHOP[2]},indexed\n")
    api.import_coverage(path, store=store, engine="seznam", fields={"url": "u", "state": "s"})
    assert api.coverage(store=store).funnel.total.indexed == Step(1, 0, 9)
    funnel = api.coverage(store=store, engine="seznam").funnel
    assert (funnel.total.indexed, funnel.engines) == (Step(2, 0, 8), ("google", "seznam"))
    with pytest.raises(UsageError, match="no reports of bing; it has those of google, seznam"):
        api.coverage(store=store, engine="bing")


def test_pages_of_the_audit_are_indexable_or_not_or_unknown(store: Path) -> None:
    with duckdb.connect(str(store)) as connection:
        for number, (status, noindex, skipped, blocked) in enumerate(
            [
                (200, None, None, None),
                (200, "meta robots: noindex", None, None),
                (404, None, None, None),
                (403, None, None, None),
                (None, None, "robots", "line 2: /shop"),
                (None, None, "robots", "robots.txt cannot be read"),
            ]
        ):
            connection.execute(
                "INSERT INTO pages (run_id, document_id, ordinal, url, page_hash, status, noindex, skipped, "
                "blocked_by) VALUES (1, 0, $1, $2, $3, $4, $5, $6, $7)",
                [number, SHOP[number], _core.page_hash(SHOP[number]), status, noindex, skipped, blocked],
            )
        connection.execute(update_verdicts("run_id = 1"))
    assert api.coverage(store=store).funnel.total.indexable == Step(1, 3, 6)


def test_the_rules_find_what_is_planted_and_nothing_else(
    audited: Audited, export: Export, google: Any, inspect: Callable[..., InspectResult]
) -> None:
    store = audited({"sitemap.xml": [*SHOP, *BLOG]})
    usual = {"verdict": "PASS", "coverageState": "Submitted and indexed", "lastCrawlTime": "2026-11-01T08:00:00Z"}
    google.states = dict.fromkeys([*SHOP, *BLOG], usual) | {
        SHOP[1]: usual | {"googleCanonical": SHOP[0], "userCanonical": SHOP[1]},
        SHOP[2]: {"verdict": "NEUTRAL", "coverageState": "URL is unknown to Google"},
        SHOP[3]: usual | {"verdict": "NEUTRAL", "coverageState": "Crawled - currently not indexed"},
    }
    inspect()
    reported(export, store, None, "https://example.com/old", "https://example.org/elsewhere", *BLOG)
    result = api.coverage(store=store)
    # A file was not fetched, so that it has no URL that Google could name.
    assert codes(result) == {
        "COV003": [SHOP[1]],
        "COV004": [SHOP[2]],
        "COV005": ["https://example.com/old"],
        "COV006": [SHOP[3]],
    }
    assert (result.funnel.unlisted, result.funnel.elsewhere) == (1, 1)
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE documents SET url = 'https://example.com/s.xml', final_url = url")
    assert set(codes(api.coverage(store=store))) == {"COV003", "COV004", "COV005", "COV006", "COV007"}
    google.states[BLOG[0]] = usual | {"sitemap": ["HTTPS://EXAMPLE.com:443/%73.xml"]}
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE urlset_inspections SET done_at = done_at - INTERVAL 25 HOURS")
    inspect()
    assert "COV007" not in codes(api.coverage(store=store, ignore=["COV003"]))


def test_urls_are_not_unlisted_if_the_run_may_lack_sitemaps(store: Path, export: Export) -> None:
    reported(export, store, None, "https://example.com/old", SHOP[0])
    result = api.coverage(store=store)
    assert result.funnel.unlisted is None
    assert codes(result) == {}


def test_the_exit_code_follows_fail_on(store: Path, export: Export, capsys: pytest.CaptureFixture[str]) -> None:
    reported(export, store, "Duplicate without user-selected canonical", SHOP[0])
    assert main(["coverage", "--store", str(store)]) == 0
    assert main(["coverage", "--store", str(store), "--fail-on", "warning"]) == 1
    assert main(["coverage", "--store", str(store), "--severity", "COV003=error"]) == 1
    assert main(["coverage", "--store", str(store), "--ignore", "COV", "--fail-on", "hint"]) == 0
    assert "Google chose another canonical" in capsys.readouterr().out


def test_text_leaves_the_unknown_blank(store: Path, export: Export, capsys: pytest.CaptureFixture[str]) -> None:
    reported(export, store, None, *BLOG[:2])
    assert main(["coverage", "--store", str(store), "--by", "section"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines[2:7]] == [
        "section", "-----------------", "all", "example.com/shop/", "example.com/blog/",
    ]  # fmt: skip
    assert lines[5].split() == ["example.com/shop/", "6"]
    assert lines[6].split() == ["example.com/blog/", "4", "2", "of", "2"]
    assert "indexed: reports of Google of 2026-11-20" in lines


def test_csv_and_markdown(store: Path, export: Export, capsys: pytest.CaptureFixture[str]) -> None:
    reported(export, store, "Soft 404", BLOG[0])
    main(["coverage", "--store", str(store), "--by", "section", "--format", "csv"])
    assert capsys.readouterr().out.splitlines() == [
        "section,listed,fetched,fetched_known,indexable,indexable_known,indexed,indexed_known",
        "all,10,,0,,0,0,1",
        "example.com/shop/,6,,0,,0,,0",
        "example.com/blog/,4,,0,,0,0,1",
    ]
    main(["coverage", "--store", str(store), "--by", "section", "--format", "markdown"])
    assert "| `example.com/blog/` | 4 |  |  | 0 of 1 |" in capsys.readouterr().out.splitlines()


def schema(name: str) -> Draft202012Validator:
    validate = Resource.from_contents(json_schema.schema("validate"))
    registry: Any = Registry().with_resource("urn:urlset:schema:validate:1", validate)
    return Draft202012Validator(json_schema.schema(name), registry=registry)


def test_json_follows_its_schemas(
    store: Path, export: Export, google: Any, credentials: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = export(
        {
            "c": "Date,Affected pages\n2026-11-20,1\n",
            "t": f"URL,x\n{SHOP[0]},",
            "m": "a,b\nSitemap,x\nIssue,robots.txt?",
        }
    )
    chosen = ["--store", str(store), "--format", "json"]
    assert main(["coverage", "import", str(path), *chosen]) == 0
    found = json.loads(capsys.readouterr().out)
    schema("coverage import").validate(found)
    assert found["files"][0]["unknown_reasons"] == {"robots.txt?": 1}
    google.quota = 4
    inspecting = ["--property", "sc-domain:example.com", "--credentials", str(credentials), "--api", google.url]
    assert main(["coverage", "inspect", *inspecting, *chosen]) == 0
    found = json.loads(capsys.readouterr().out)
    schema("coverage inspect").validate(found)
    assert (found["outcome"], found["inspected"]) == ("quota", 4)
    assert main(["coverage", *chosen]) == 0
    found = json.loads(capsys.readouterr().out)
    schema("coverage").validate(found)
    assert found["funnel"]["total"]["indexed"] == {"yes": 4, "no": 0, "unknown": 6}
    assert main(["coverage", "inspect", *inspecting, "--store", str(store), "--resume", "--per-day", "1"]) == 0
    assert "Stopped: --per-day 1 is used up" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["coverage", "show"],
            "no such command 'coverage show'; commands: diff, import, inspect, impressions",
        ),
        (["coverage", "sitemap"], "no such command 'coverage sitemap'; did you mean 'sitemaps'?"),
        (["coverage", "inspect", "x"], "unexpected extra argument (x)"),
        (["coverage", "import"], "missing argument 'EXPORT...'"),
        (["coverage", "import", "a.zip", "--by", "section"], "no such option '--by'"),
        (["coverage", "--resume"], "no such option '--resume'; it is an option of `urlset coverage inspect`"),
        (["coverage", "inspect", "--format", "csv"], "--format: must be one of text, json"),
        (["coverage", "inspect"], "inspect needs --property PROPERTY and --credentials FILE"),
        (["coverage", "--store=a", "--by", "import", "inspect"], "no such option '--by'"),
    ],
)
def test_wrong_command_lines(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_a_store_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such store"):
        api.coverage(store=tmp_path / "none.duckdb")


def test_names_of_files_and_reasons_are_escaped(
    store: Path, export: Export, capsys: pytest.CaptureFixture[str]
) -> None:
    path = export({"t": f"URL,x\n{SHOP[0]},", "m": 'a,b\nIssue,"\x1b[31m<script>"'})
    assert main(["coverage", "import", str(path), "--store", str(store)]) == 0
    assert main(["coverage", "--store", str(store)]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert "<script>\\u" not in report_page(store)
    assert "\x1b[31m" not in report_page(store)


def test_the_report_page_begins_with_the_funnel(store: Path, export: Export) -> None:
    assert 'id="coverage"' not in report_page(store)
    reported(export, store, None, *SHOP[:2])
    page = report_page(store)
    assert page.index('id="verdict"') < page.index('id="coverage"') < page.index('id="documents"')
    assert "From the sitemap to the index" in page
    assert "2 of 2" in page


@pytest.mark.long("slow cases")
def test_the_report_page_has_the_findings_of_coverage(store: Path, export: Export) -> None:
    assert 'data-code="COV' not in report_page(store)
    reported(export, store, "Crawled - currently not indexed", *SHOP[:2])
    found = codes(api.coverage(store=store))
    assert found
    page = report_page(store)
    assert [code for code in found if f'data-code="{code}"' not in page] == []


def test_with_access_logs_that_were_read(store: Path, export: Export, tmp_path: Path) -> None:
    line = '66.249.66.1 - - [02/Nov/2026:10:00:00 +0000] "GET {} HTTP/1.1" 200 9 "-" "{}"\n'
    googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
    log = tmp_path / "access.log"
    log.write_text(line.format("/shop/0", googlebot) + line.format("/blog/0", "Mozilla/5.0 (X11; Linux) Firefox/140"))
    api.logs(log, site="https://example.com", store=store)
    funnel = api.coverage(store=store).funnel
    assert funnel.total.fetched == Step(1, 9, 0)
    assert funnel.logs is not None
    assert funnel.logs[0].isoformat() == "2026-11-02T10:00:00+00:00"
    assert (funnel.logged_hosts, funnel.requested, funnel.verified) == (1, 1, 0)
    assert "(0 of 1 URL verified by address)" in "\n".join(notes(funnel))
