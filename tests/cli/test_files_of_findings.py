"""CI systems annotate the files of an audited directory, or those that its pages are generated from."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from urlset.cli.main import main

PAGE = "<!doctype html><title>Guide</title><link rel=canonical href=https://example.com/guide/><p>One two three."
SITEMAP = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/guide/</loc></url>
<url><loc>https://example.com/about"us/</loc></url>
</urlset>"""
AUDIT = ("audit", "site", "--no-config", "--no-store", "--fail-on", "never", "--select", "PGE027,LOC004")


@pytest.fixture(autouse=True)
def _checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory with a build, whose sitemap has a malformed URL, and whose page is thin."""
    monkeypatch.chdir(tmp_path)
    Path("site/guide").mkdir(parents=True)
    Path("site/guide/index.html").write_text(PAGE)
    Path("site/sitemap.xml").write_text(SITEMAP)


def places(form: str, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """Return the file of each rule, with its line if it has one."""
    assert main([*AUDIT, "--format", form]) == 0
    out = capsys.readouterr().out
    if form == "sarif":
        found = {}
        for result in json.loads(out)["runs"][0]["results"]:
            place = result["locations"][0]["physicalLocation"]
            assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
            line = place.get("region", {}).get("startLine")
            found[result["ruleId"]] = place["artifactLocation"]["uri"] + (f":{line}" if line else "")
        return found
    if form == "gitlab":
        locations = {each["check_name"]: each["location"] for each in json.loads(out)}
        return {code: f"{where['path']}:{where['lines']['begin']}" for code, where in locations.items()}
    if form == "github":
        annotations = re.findall(r"^::\w+ file=(.*?),title=(\w+) [^,:]*(?:,line=(\d+))?", out, re.MULTILINE)
        return {code: file + (f":{line}" if line else "") for file, code, line in annotations}
    if form == "junit":
        assert '" file="site/sitemap.xml"' in out
        return dict(re.findall(r'name="(\w+) [a-z-]+" time="0">\s*<[^>]*>(?:\s*<system-out>)?([^:]*(?::\d+)?)', out))
    return {code: file for file, code in re.findall(r"^(\S+?(?::\d+)?)(?::\d+)?: ([A-Z]{3}\d{3}) ", out, re.MULTILINE)}


@pytest.mark.parametrize("form", ["concise", "github", "gitlab", "junit", "sarif"])
def test_files_of_the_directory(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    # GitLab requires a line.
    page = "site/guide/index.html:1" if form == "gitlab" else "site/guide/index.html"
    assert places(form, capsys) == {"LOC004": "site/sitemap.xml:3", "PGE027": page}


@pytest.mark.parametrize("form", ["concise", "sarif"])
def test_source_files(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mkdocs.yml").write_text("site_name: Guide\n")
    Path("docs").mkdir()
    Path("docs/guide.md").write_text("# guide\n\nOne two three.\n")
    assert places(form, capsys) == {"LOC004": "site/sitemap.xml:3", "PGE027": "docs/guide.md"}


@pytest.mark.parametrize("form", ["github", "sarif"])
def test_a_link_is_corrected_in_the_page_that_has_it(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    with Path("site/guide/index.html").open("a") as page:
        page.write('<a href="/missing">Missing</a>')
    assert main([*AUDIT[:-1], "LNK005", "--format", form]) == 0
    out = capsys.readouterr().out
    assert "site/guide/index.html" in out
    assert "sitemap.xml" not in out


def test_the_page_with_a_link_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    with Path("site/guide/index.html").open("a") as page:
        page.write('<a href="/missing">Missing</a>')
    assert main([*AUDIT[:-1], "LNK005"]) == 0
    line = "\n  https://example.com/guide/ links to https://example.com/missing, which returns 404\n"
    assert line in capsys.readouterr().out


def test_other_formats_show_urls(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*AUDIT, "--format", "markdown"]) == 0
    assert "https://example.com/sitemap.xml:3" in capsys.readouterr().out
