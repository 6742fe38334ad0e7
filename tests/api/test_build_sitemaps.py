"""`urlset.build_sitemaps`: of a configuration file and of values, with the report that the command shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

import urlset
import urlset.model
import urlset.options

BASE = "https://example.com/"

CONFIG = """
[build]
base-url = "https://example.com/"
out = "out"
max-entries = 2

[[build.source]]
list = "urls.csv"

[[build.source]]
html = "pages"
part = "pages"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "urls.csv").write_text("loc,lastmod\n/a,2025-11-14\n/b,\n/c#d,\n")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.html").write_text("<title>Home</title><p>Welcome")
    (tmp_path / "pages" / "secret.html").write_text('<meta name="robots" content="noindex"><p>Nothing')
    (tmp_path / "urlset.toml").write_text(CONFIG)
    return tmp_path


def of_file(folder: Path) -> Path:
    return folder / "urlset.toml"


def of_pyproject(folder: Path) -> str:
    (folder / "pyproject.toml").write_text(CONFIG.replace("[build", "[tool.urlset.build"))
    return str(folder / "pyproject.toml")


def of_site(folder: Path) -> urlset.options.Site:
    return urlset.options.Site(
        base_url=BASE,
        out=str(folder / "out"),
        sources=(
            urlset.options.UrlList(file=folder / "urls.csv"),
            urlset.options.HtmlFolder(folder=folder / "pages", part="pages"),
        ),
        max_entries=2,
    )


def of_spec(folder: Path) -> urlset.options.BuildSpec:
    return urlset.options.BuildSpec(sites=(of_site(folder),))


@pytest.mark.parametrize("given", [of_file, of_pyproject, of_site, of_spec])
def test_the_same_is_built_whatever_says_so(
    folder: Path, given: Callable[[Path], Path | str | urlset.options.Site | urlset.options.BuildSpec]
) -> None:
    report = urlset.build_sitemaps(given(folder))
    assert isinstance(report, urlset.model.BuildReport)
    assert (report.written, report.published, report.changed) == (3, True, True)
    assert report.problems == (f"{BASE}: 1 entry left out: url-doubtful",)
    [site] = report.sites
    assert dict(site.left_out) == {"noindex": 1}
    assert [file.name for file in site.summary.files] == ["sitemap.xml", "sitemap-1.xml", "sitemap-pages.xml"]
    assert site.robots.lines == (f"Sitemap: {BASE}sitemap.xml",)
    assert [entry.loc for entry in urlset.read(folder / "out" / "sitemap-1.xml")] == [f"{BASE}a", f"{BASE}b"]
    assert not urlset.build_sitemaps(given(folder)).changed


def test_nothing_is_published_unless_asked_for(folder: Path) -> None:
    report = urlset.build_sitemaps(folder / "urlset.toml", dry_run=True)
    assert (report.written, report.published, report.changed) == (3, False, True)
    assert not (folder / "out").exists()
    options = urlset.options.BuildOptions(dry_run=True)
    assert not urlset.build_sitemaps(folder / "urlset.toml", options).published


def test_a_lastmod_is_explained_and_nothing_published(folder: Path) -> None:
    report = urlset.build_sitemaps(folder / "urlset.toml", explain_lastmod=f"{BASE}a")
    assert report.explained is not None
    assert (report.explained.source, report.explained.value) == (urlset.options.LastmodSource.GIVEN, "2025-11-14")
    assert not report.published


def test_what_is_left_out_is_listed(folder: Path) -> None:
    urlset.build_sitemaps(folder / "urlset.toml", left_out=folder / "left.jsonl")
    lines = [json.loads(line) for line in (folder / "left.jsonl").read_text().splitlines()]
    expected = {("url-doubtful", "fragment"), ("noindex", "robots: noindex")}
    assert {(line["reason"], line["detail"]) for line in lines} == expected


def test_the_present_moment_may_be_said(folder: Path) -> None:
    report = urlset.build_sitemaps(of_site(folder), now=datetime(2024, 1, 1, tzinfo=UTC))
    summary = report.sites[0].summary
    assert dict(summary.refused) == {"url-doubtful": 1}
    assert dict(summary.fields_left_out) == {"date-future": 1}


WRONG = {
    "no such file": ("none.toml", "", urlset.errors.ConfigError, "none.toml"),
    "no [build]": ("x.toml", "select = ['LOC']", urlset.errors.UsageError, r"x\.toml has no \[\[build\.source\]\]"),
    "no sites": ("x.toml", "[build]\ngzip = 'all'", urlset.errors.UsageError, r"has no \[\[build\.source\]\]"),
    "a wrong key": ("x.toml", "[build]\nbase = 'x'", urlset.errors.ConfigError, "base"),
}


@pytest.mark.parametrize(("name", "content", "error", "message"), WRONG.values(), ids=WRONG)
def test_wrong_files(tmp_path: Path, name: str, content: str, error: type[urlset.UrlsetError], message: str) -> None:
    if content:
        (tmp_path / name).write_text(content)
    with pytest.raises(error, match=message):
        urlset.build_sitemaps(tmp_path / name)


def test_a_spec_without_sites_is_misuse() -> None:
    with pytest.raises(urlset.errors.UsageError, match="nothing to build"):
        urlset.build_sitemaps(urlset.options.BuildSpec())


def test_sitemaps_are_fetched_as_is_said(tmp_path: Path) -> None:
    site = urlset.options.Site(
        base_url=BASE,
        out=str(tmp_path),
        sources=(urlset.options.Sitemaps(targets=("http://127.0.0.1:1/sitemap.xml",)),),
    )
    with pytest.raises(urlset.errors.InputError, match=r"127\.0\.0\.1:1"):
        urlset.build_sitemaps(site, retries=0, timeout=5)
