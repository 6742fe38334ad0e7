"""What commands say of themselves where it is read: what was not read, what was kept, how a run ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import urlset
from urlset.cli.main import main
from urlset.errors import ExitCode, UsageError
from urlset.options import FailOn
from urlset.report.formats import OUTPUTS
from urlset.report.json_schema import schema as schema_of

OPEN = '<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}</{root}>\n'
URLS = OPEN.format(root="urlset", rows="<url><loc>https://example.com/</loc></url>\n")
MONTHS = OPEN.format(
    root="urlset",
    rows="".join(
        f"<url><loc>https://example.com/{n}</loc><lastmod>2025-0{1 + n % 3}-0{1 + n}</lastmod></url>\n"
        for n in range(6)
    ),
)


@pytest.fixture(autouse=True)
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("good.xml").write_text(URLS)
    Path("months.xml").write_text(MONTHS)
    return tmp_path


def schema(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(name))


REASON = "no sitemap found"
ONLY_FINDINGS = {"concise", "csv", "gitlab", "none"}
"""Formats with no place for anything but findings."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", [form for form in OUTPUTS["validate"].formats if form not in ONLY_FINDINGS])
@pytest.mark.parametrize("command", ["validate", "audit"])
def test_why_a_site_was_not_checked_stands_in_the_report(
    site: Any, command: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--discover"] if command == "validate" else ["--no-score", "--no-pages"]
    # An audit reports it as a finding (SIT001).
    expected = ExitCode.UNREADABLE if command == "validate" else ExitCode.FINDINGS
    assert main([command, site.url, *more, "--format", form]) == expected
    shown = capsys.readouterr().out
    # Annotations name the rule in place of its message.
    reasons = (REASON,) if command == "validate" else ("Site has no sitemap", "SIT001 no-sitemap")
    assert any(reason in shown for reason in reasons)
    assert "no findings" not in shown.lower()


def test_a_target_that_is_not_there_stands_in_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "good.xml", "gone.xml"]) == ExitCode.UNREADABLE
    shown = capsys.readouterr().out
    assert "could not read gone.xml: no such file" in shown
    assert "No findings in 1 document" in shown
    assert main(["validate", "gone.xml"]) == ExitCode.UNREADABLE
    assert "Nothing was checked." in capsys.readouterr().out


@pytest.mark.parametrize("more", [[], ["--format", "json"], ["--urls"]], ids=["text", "json", "urls"])
def test_a_child_that_cannot_be_read_is_an_input_that_cannot(more: list[str]) -> None:
    rows = "".join(f"<sitemap><loc>{loc}</loc></sitemap>\n" for loc in ("gone.xml", "http://127.0.0.1:9/dead.xml"))
    Path("index.xml").write_text(OPEN.format(root="sitemapindex", rows=rows))
    assert main(["inspect", "index.xml", *more]) == ExitCode.CLEAN
    assert main(["inspect", "--expand", "index.xml", *more]) == ExitCode.UNREADABLE
    assert main(["inspect", "--expand", "good.xml", *more]) == ExitCode.CLEAN


def audit(*more: str) -> int:
    return main(["audit", "good.xml", "--no-pages", "--no-score", *more])


@pytest.mark.long("slow cases")
def test_an_audit_says_where_it_is_kept_and_how_to_see_it(workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit() == ExitCode.CLEAN
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == (
        "Saved as run 1 in urlset.duckdb. Open it in a browser with `urlset report --open`; "
        "list all runs with `urlset history`."
    )
    assert audit("--store", "other.duckdb", "--format", "none") == ExitCode.CLEAN
    assert "`urlset report other.duckdb --open`" in capsys.readouterr().err
    for command in (["report"], ["history"], ["report", "other.duckdb"], ["history", "other.duckdb"]):
        assert main(command) == ExitCode.CLEAN


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The URLs that the browser opens."""
    urls: list[str] = []

    def open_url(url: str) -> bool:
        urls.append(url)
        return True

    monkeypatch.setattr("webbrowser.open", open_url)
    return urls


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("arguments", "page"),
    [
        (["report"], "urlset.html"),
        (["report", "-o", "own page.html"], "own page.html"),
        (["audit", "good.xml", "--no-pages", "--no-score", "--report", "page.html"], "page.html"),
        (["validate", "good.xml", "--report", "page.html"], "page.html"),
    ],
    ids=["report", "file", "audit", "validate"],
)
def test_every_command_that_writes_a_report_opens_it(
    arguments: list[str], page: str, workdir: Path, opened: list[str]
) -> None:
    assert audit("--format", "none") == ExitCode.CLEAN
    assert main(arguments) == ExitCode.CLEAN
    assert opened == []
    assert main([*arguments, "--open"]) == ExitCode.CLEAN
    assert opened == [(Path.cwd() / page).as_uri()]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["report", "-o", "-"], "--open: standard output cannot be opened"),
        (["validate", "good.xml"], "--open: no report to open; name its file with --report"),
        (["check", "example.com"], "--open: no report to open; name its file with --report"),
        (["logs", "access.log"], "--open: no report to open; name its file with --report"),
    ],
    ids=["stdout", "validate", "check", "logs"],
)
def test_nothing_is_opened_that_is_not_written(
    arguments: list[str], words: str, workdir: Path, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--open"]) == ExitCode.USAGE
    assert words in capsys.readouterr().err
    assert opened == []


def test_without_a_browser_the_report_is_named(
    workdir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    assert main(["validate", "good.xml", "--report", "page.html", "--open"]) == ExitCode.CLEAN
    assert "no browser found; open page.html in one" in capsys.readouterr().err


@pytest.mark.long("slow cases")
def test_an_audit_may_keep_nothing(workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = set(workdir.iterdir())
    assert audit("--no-store") == ExitCode.CLEAN
    assert "Kept" not in capsys.readouterr().out
    assert audit("--no-store", "--format", "json") == ExitCode.CLEAN
    found = json.loads(capsys.readouterr().out)
    assert (found["store"], found["run"]) == (None, None)
    assert set(workdir.iterdir()) == before
    assert audit("--no-store", "--report", "page.html") == ExitCode.CLEAN
    assert {path.name for path in set(workdir.iterdir()) - before} == {"page.html"}
    for more in (["--store", "x.duckdb"], ["--resume"]):
        assert main(["audit", *([] if "--resume" in more else ["good.xml"]), "--no-store", *more]) == ExitCode.USAGE
        assert "--no-store cannot be combined with --store or --resume" in capsys.readouterr().err


def test_an_audit_of_the_api_may_keep_nothing(workdir: Path) -> None:
    before = set(workdir.iterdir())
    kept = urlset.audit("good.xml", pages=False, no_store=True)
    assert (kept.store, kept.run_id, kept.report.summary.urls) == (None, None, 1)
    assert set(workdir.iterdir()) == before
    with pytest.raises(UsageError, match="no-store cannot be combined with"):
        urlset.audit("good.xml", store="x.duckdb", no_store=True)


@pytest.mark.long("slow cases")
def test_a_hint_may_fail_a_run(workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("hints.xml").write_text(URLS.replace("</loc>", "</loc><priority>0.7</priority>"))
    assert main(["validate", "hints.xml", "--format", "json"]) == ExitCode.CLEAN
    assert {one["severity"] for one in json.loads(capsys.readouterr().out)["findings"]} == {"hint"}
    assert main(["validate", "hints.xml", "--fail-on", "info"]) == ExitCode.CLEAN
    assert main(["validate", "hints.xml", "--fail-on", "hint"]) == ExitCode.FINDINGS
    assert main(["audit", "hints.xml", "--no-store", "--no-pages", "--fail-on", "hint"]) == ExitCode.FINDINGS
    Path("urlset.toml").write_text('fail-on = "hint"\n')
    assert main(["validate", "hints.xml"]) == ExitCode.FINDINGS
    assert urlset.validate("hints.xml").fails(FailOn.HINT)


@pytest.mark.parametrize(("form", "said"), [("text", "Not valid"), ("markdown", "not valid"), ("github", "not valid")])
def test_what_is_not_valid_has_faults(workdir: Path, form: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("lxml")
    schemas = workdir / "schemas"
    schemas.mkdir()
    text = (
        '<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified" '
        'targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9"><xsd:element name="{name}"/></xsd:schema>'
    )
    (schemas / "sitemap.xsd").write_text(text.format(name="other"))
    (schemas / "siteindex.xsd").write_text(text.format(name="sitemapindex"))
    assert main(["validate", "good.xml", "--xsd", str(schemas), "--format", form]) == ExitCode.FINDINGS
    shown = capsys.readouterr().out
    assert "0 of 1 XML document valid" in shown
    assert "no findings" not in shown.lower()
    assert said in shown


def test_inspect_as_json_has_the_distribution_and_totals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", "months.xml", "good.xml", "--format", "json"]) == ExitCode.CLEAN
    found = json.loads(capsys.readouterr().out)
    schema("inspect").validate(found)
    assert found["documents"][0]["lastmod"]["distribution"] == [
        {"period": "2025-01", "entries": 2},
        {"period": "2025-02", "entries": 2},
        {"period": "2025-03", "entries": 2},
    ]
    assert found["documents"][1]["lastmod"]["distribution"] == []
    sizes = sum(Path(name).stat().st_size for name in ("months.xml", "good.xml"))
    assert found["totals"] == {
        "indexes": 0,
        "sitemaps": 2,
        "urls": 7,
        "unfetched": 0,
        "bytes": sizes,
        "wire_bytes": sizes,
        "lastmod": {"oldest": "2025-01-01T00:00:00Z", "newest": "2025-03-06T00:00:00Z", "missing": 1},
        "extensions": {"images": 0, "videos": 0, "news": 0, "alternates": 0},
    }


def test_check_as_json_describes_its_steps(site: Any, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", site.url, "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    schema("check").validate(found)
    assert found["steps"][1]["description"] == "Fetch at least one candidate with a successful HTTP response."


@pytest.mark.parametrize(
    ("more", "is_in_output"),
    [((), True), (("--format", "json"), False), (("--baseline", "known.json", "--write-baseline"), False)],
)
def test_a_note_is_written_once(more: tuple[str, ...], is_in_output: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """To standard error only if the output does not have it, whoever reads the two."""
    main(["validate", "good.xml", "--select", "LOC,LNK", "--no-config", *more])
    shown = capsys.readouterr()
    written = [NOTE in text for text in (shown.out if "json" not in more else "", shown.err)]
    assert written == [is_in_output, not is_in_output]


NOTE = "LNK was not checked: it needs "
