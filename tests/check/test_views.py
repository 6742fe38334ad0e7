"""The views of a check and of a discovery: text, JSON with its schema, Markdown, the badge; and the command line."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from lxml import html

import urlset
import urlset.model
from urlset.cli.main import main
from urlset.errors import ExitCode
from urlset.model.check import CheckResult
from urlset.model.specification import SPECIFICATION
from urlset.options import CheckOptions
from urlset.pipeline.check import check
from urlset.pipeline.discover import discover_all
from urlset.report import check as views
from urlset.report import discover_text
from urlset.report.json_outputs import CHECK, DISCOVERY
from urlset.report.json_schema import schema as schema_of
from urlset.report.style import Style
from urlset.report.words import shown_score

XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
GOOD = f"<urlset {XMLNS}><url><loc>{{site}}/</loc></url></urlset>"
WARNS = f"<urlset {XMLNS}><url><loc>{{site}}/</loc><priority>7</priority></url></urlset>"
HOSTILE = "\x1b]0;owned\x07\u202e|`<b>"


def schema(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(name))


def fill(site: Any, content: str | None) -> CheckResult:
    site.clear()
    if content is not None:
        site.put("/sitemap.xml", content)
    return check([site.url])[0]


def hostile(site: Any) -> CheckResult:
    site.clear()
    site.put("/robots.txt", f"Sitemap: /{HOSTILE}.xml\nSitemap:\n")
    site.put(
        "/sitemap.xml",
        f"<urlset {XMLNS}><url><loc>{{site}}/{HOSTILE[1:]}</loc><priority>\u202e7`|</priority></url></urlset>",
    )
    return check([site.url])[0]


def test_the_json_is_of_the_shape_that_is_promised(site: Any) -> None:
    for content in (GOOD, WARNS, "<html></html>", None):
        result = fill(site, content)
        report = json.loads("".join(CHECK.json([result])))
        schema("check").validate(report)
        assert list(report) == ["check", "origin", "status", "score", "steps", "candidates"]
        assert report == result.to_dict()
        assert list(report["check"])[:3] == ["id", "version", "suite"]
        assert report["check"]["category"] == "AI Discoverability"
        assert [list(step) for step in report["steps"]] == [
            ["id", "title", "description", "weight", "status", "score", "evidence"]
        ] * 5
        assert report["score"] == pytest.approx(sum(step["score"] for step in report["steps"]))
        assert report["status"] == result.status.value
        assert [one["url"] for one in report["candidates"] if one["judged"]] == [result.judged] * (content is not None)


def test_several_are_an_array(site: Any) -> None:
    result = fill(site, GOOD)
    report = json.loads("".join(CHECK.json([result], Style(several=True))))
    schema("check").validate(report)
    assert [one["status"] for one in report] == ["pass"]


@pytest.mark.parametrize("ascii_only", [False, True])
def test_text_from_outside_steers_nothing(site: Any, ascii_only: bool) -> None:
    result = hostile(site)
    [discovery] = discover_all([site.url])
    for name, text in (
        ("check", "".join(CHECK.json([result], Style(unicode=not ascii_only)))),
        ("discover", "".join(DISCOVERY.json([discovery], Style(unicode=not ascii_only)))),
    ):
        schema(name).validate(json.loads(text))
        assert all(line.isprintable() for line in text.split("\n"))
    lines = [
        *views.text([result, result], Style(verbose=True)),
        *discover_text.render([discovery], Style(verbose=True)),
        *views.markdown([result, result]),
    ]
    assert all(line.isprintable() for line in lines)
    spans = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
    assert "<b>" not in "".join(spans.sub("", line) for line in views.markdown([result]))
    ET.fromstring("".join(views.badge([result])))


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report.update(extra=1),
        lambda report: report.update(status="not-run"),
        lambda report: report.pop("steps"),
        lambda report: report["steps"].pop(),
        lambda report: report["steps"].reverse(),
        lambda report: report["steps"][0].update(score=2),
        lambda report: report["steps"][0]["evidence"].clear(),
        lambda report: report["check"].update(version="1.0.1"),
        lambda report: report["candidates"][0].pop("judged"),
    ],
)
def test_the_schema_is_strict(site: Any, change: Any) -> None:
    report = json.loads("".join(CHECK.json([fill(site, GOOD)])))
    change(report)
    with pytest.raises(ValidationError):
        schema("check").validate(report)


def test_the_text_shows_score_bars_and_evidence(site: Any) -> None:
    result = fill(site, WARNS)
    lines = list(views.text([result], Style()))
    assert lines[0] == f"{site.url}: warn 0.95 of 1"
    assert lines[-1] == "check sitemap 1.0.0, suite 2026.06.10"
    quality = next(line for line in lines if "field quality" in line)
    assert quality.split() == ["warn", "██░░", "0.05/0.10", "Validate", "sitemap", "field", "quality"]
    assert any("[HNT002]" in line and f"{site.url}/sitemap.xml:1:" in line for line in lines)
    bars = "".join(re.findall("[█░]", "".join(lines)))
    assert (len(bars), bars.count("░")) == (40, 2)


def test_the_text_does_without_unicode(site: Any) -> None:
    lines = list(views.text([fill(site, None)], Style(unicode=False)))
    # The ellipsis is taken care of where the output is written.
    assert all(line.replace("…", "").isascii() for line in lines)
    assert any("........" in line for line in lines)


def test_of_several_sites_a_table_and_what_does_not_pass(site: Any) -> None:
    good, warns, fails = (fill(site, content) for content in (GOOD, WARNS, None))
    text = "\n".join(views.text([good, warns, fails], Style()))
    assert "3 origins: 1 pass, 1 warn, 1 fail" in text
    assert text.count("Parse sitemap") == 2
    assert re.search(rf"{site.url}  pass     1.00  {site.url}/sitemap.xml", text)
    assert re.search(rf"{site.url}  fail     0.00  none", text)
    assert "\n".join(views.text([good, warns, fails], Style(verbose=True))).count("Parse sitemap") == 3


def test_markdown(site: Any) -> None:
    lines = list(views.markdown([fill(site, WARNS)]))
    assert "| Validate sitemap field quality | warn | 0.05 | 0.10 |" in lines
    assert any(line.startswith("- **warn** HNT002 `") for line in lines)
    several = list(views.markdown([fill(site, GOOD), fill(site, None)]))
    assert f"| `{site.url}` | pass | 1.00 | `{site.url}/sitemap.xml` |" in several
    assert f"| `{site.url}` | fail | 0.00 | none |" in several
    # A table ends at a blank line.
    heads = [at for at, line in enumerate(several) if line.startswith(f"**`{site.url}`: ")]
    assert [several[at - 1] for at in heads] == ["", ""]


@pytest.mark.parametrize(("content", "value"), [(GOOD, "pass 1.00"), (WARNS, "warn 0.95"), (None, "fail 0.00")])
def test_badge(site: Any, content: str | None, value: str) -> None:
    root = ET.fromstring("".join(views.badge([fill(site, content)])))
    svg = "{http://www.w3.org/2000/svg}"
    assert [text.text for text in root.iter(f"{svg}text")] == ["sitemap", value]
    assert root.get("role") == "img"
    assert site.url in str(root.get("aria-label"))
    widths = [float(str(rect.get("width"))) for rect in root.iter(f"{svg}rect")]
    assert widths[0] == widths[1] + widths[2] == float(str(root.get("width")))
    assert "http" not in re.sub(r"http://(www\.w3\.org|127\.0\.0\.1)", "", "".join(views.badge([fill(site, content)])))


def test_the_discovery_in_text(site: Any) -> None:
    site.put("/robots.txt", "Sitemap: {site}/gone.xml\n")
    site.put("/sitemap.xml", GOOD)
    found = discover_all([site.url])
    lines = list(discover_text.render(found, Style()))
    assert lines[0] == f"{site.url}: 1 sitemap"
    assert "    found by: well-known path" in lines
    assert f"    {site.url}/gone.xml: returned HTTP 404 Not Found (robots.txt line 1)" in lines
    assert not any("wp-sitemap" in line for line in lines)
    assert any("wp-sitemap" in line for line in discover_text.render(found, Style(verbose=True)))
    site.clear()
    lines = list(discover_text.render(discover_all([site.url]), Style()))
    assert lines[0] == f"{site.url}: no sitemap found"
    assert any("well-known paths without success; use -v to list them" in line for line in lines)


def test_a_path_is_left_out_and_that_is_said(site: Any) -> None:
    site.put("/sitemap.xml", GOOD)
    [result] = check([f"{site.url}/shop/"])
    assert (result.origin, result.score) == (site.url, 1.0)
    assert f"robots.txt and the well-known paths were requested at {site.url}/" in [
        one.message for one in result.steps[0].evidence
    ]
    assert not any("shop" in path for path in site.asked)


@pytest.mark.long("slow cases")
def test_a_document_that_is_too_large_to_be_held_is_judged_whole(site: Any) -> None:
    lines = "".join(f"{{site}}/{number}\n" for number in range(260_000))
    result = fill(site, lines + "https://elsewhere.example/\n")
    assert [step.status.value for step in result.steps] == ["pass", "pass", "pass", "fail", "warn"]
    assert "1 of 260,001 page URLs" in result.steps[4].evidence[0].message


def test_what_is_read_in_part_is_said(site: Any) -> None:
    site.put("/sitemap.xml", f"<urlset {XMLNS}>" + "<url><loc>{site}/</loc></url>" * 100 + "</urlset>")
    [result] = check([site.url], CheckOptions(max_document_bytes=1_000))
    assert "only the first 1,000 bytes could be read" in [one.message for one in result.steps[2].evidence]


# The command line.


def run(*arguments: str) -> int:
    return main(list(arguments))


@pytest.mark.parametrize(
    ("content", "options", "code"),
    [
        (GOOD, (), ExitCode.CLEAN),
        (WARNS, (), ExitCode.CLEAN),
        (WARNS, ("--fail-on", "warn"), ExitCode.FINDINGS),
        (GOOD, ("--fail-on", "warn"), ExitCode.CLEAN),
        (None, (), ExitCode.FINDINGS),
    ],
)
def test_exit_codes_of_check(site: Any, content: str | None, options: tuple[str, ...], code: ExitCode) -> None:
    if content is not None:
        site.put("/sitemap.xml", content)
    assert run("check", site.url, *options) == code


def test_check_writes_json_and_badge(site: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.put("/sitemap.xml", GOOD)
    assert run("check", site.url, "--format", "json", "--badge", str(tmp_path / "b.svg")) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "pass"
    assert "pass 1.00" in (tmp_path / "b.svg").read_text(encoding="utf-8")


def test_origins_from_a_file(site: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.put("/sitemap.xml", GOOD)
    file = tmp_path / "sites.txt"
    file.write_text(f"# ours\n\n{site.url}  # the shop\n{site.url}\n", encoding="utf-8")
    assert run("check", "--from", str(file), "--format", "json") == 0
    assert [one["origin"] for one in json.loads(capsys.readouterr().out)] == [site.url]
    assert run("discover", "--from", str(file), "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    schema("discover").validate(report)
    assert [one["origin"] for one in report["origins"]] == [site.url]


@pytest.mark.parametrize("command", ["check", "discover"])
@pytest.mark.parametrize(
    ("arguments", "file", "message", "code"),
    [
        ((), None, "no site given; add one", ExitCode.USAGE),
        (("",), None, "no site given; add one", ExitCode.USAGE),
        (("http://",), None, "has no host", ExitCode.USAGE),
        ((), "# nothing\n", "contains no site; add one", ExitCode.USAGE),
        ((), "example.com\nftp://example.com\n", "line 2: ftp://example.com", ExitCode.USAGE),
        ((), b"\xff\xfe", "not UTF-8", ExitCode.UNREADABLE),
    ],
)
def test_what_is_asked_for_makes_no_sense(
    command: str,
    arguments: tuple[str, ...],
    file: str | bytes | None,
    message: str,
    code: ExitCode,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if file is not None:
        path = tmp_path / "sites.txt"
        path.write_bytes(file if isinstance(file, bytes) else file.encode())
        arguments = (*arguments, "--from", str(path))
    assert run(command, *arguments) == code
    assert message in capsys.readouterr().err


def test_more_that_makes_no_sense(site: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", site.url, "localhost:9", "--badge", str(tmp_path / "b.svg")) == ExitCode.USAGE
    assert run("check", site.url, "--badge", str(tmp_path / "none" / "b.svg")) == ExitCode.UNREADABLE
    assert run("discover", site.url, "--urls", "--format", "json") == ExitCode.USAGE
    assert run("check", "--from", str(tmp_path / "none.txt")) == ExitCode.UNREADABLE
    assert site.asked == []
    assert capsys.readouterr().out == ""


def test_discover_prints_urls(site: Any, capsys: pytest.CaptureFixture[str]) -> None:
    site.put("/sitemap.xml", GOOD)
    assert run("discover", site.url, "--urls") == ExitCode.CLEAN
    assert capsys.readouterr().out == f"{site.url}/sitemap.xml\n"
    site.clear()
    assert run("discover", site.url) == ExitCode.FINDINGS


@pytest.mark.parametrize("command", ["check", "discover"])
def test_what_cannot_be_reached_exits_with_3(command: str, site: Any, capsys: pytest.CaptureFixture[str]) -> None:
    site.put("/sitemap.xml", GOOD)
    assert run(command, "127.0.0.1:1", site.url) == ExitCode.UNREADABLE
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "the site is unreachable: cannot connect to 127.0.0.1: connection refused" in captured.out or (
        command == "discover" and "http://127.0.0.1:1: unreachable: cannot connect" in captured.out
    )
    assert f"{site.url}" in captured.out


def test_the_public_functions(site: Any) -> None:
    site.put("/sitemap.xml", GOOD)
    result = urlset.check(site.url)
    assert (result.status, result.score, result.origin) == (urlset.model.Status.PASS, 1.0, site.url)
    assert SPECIFICATION.id == "sitemap"
    assert [candidate.kind for candidate in urlset.discover(site.url).candidates] == ["urlset"]


def test_the_page_says_what_the_other_forms_say(site: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "check.html"
    for content, verdict in ((GOOD, "The check passes"), (WARNS, "The check passes with warnings"), (None, "fails")):
        result = fill(site, content)
        main(["check", site.url, "--no-config", "--no-cache", "--format", "json", "--report", str(page)])
        values = json.loads(capsys.readouterr().out)
        tree: Any = html.document_fromstring(page.read_text(encoding="utf-8"))
        assert [float(one) for one in tree.xpath("//@data-score")] == [values["score"], result.score][:1]
        assert verdict in tree.xpath("string(//h2[@id='verdict-title'])")
        steps = tree.xpath("//li[contains(@class, 'step ')]")
        assert [one.get("class").split()[1] for one in steps] == [step["status"] for step in values["steps"]]
        shown = [one.strip() for one in tree.xpath("//*[@class='steps']//summary/*[@class='amount']/text()")]
        assert shown == [f"{shown_score(step['score'])} of {shown_score(step['weight'])}" for step in values["steps"]]
