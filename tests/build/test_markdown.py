"""A folder of Markdown as a source: what the front matter says of a page."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.cases import case_table

import urlset
from urlset.build.sources import front_matter
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.sources import FileFolder, UrlStyle
from urlset.pipeline.build import build

from .judging import BASE, complaints

if TYPE_CHECKING:
    from urlset.model.build import SiteReport

NOW = datetime(2025, 11, 14, 12, tzinfo=UTC)


def built(tmp_path: Path, files: dict[str, str], **fields: object) -> tuple[SiteReport, list[dict[str, str]]]:
    folder = tmp_path / "content"
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    source = replace(FileFolder(folder=folder), **fields)  # type: ignore[arg-type]
    out = tmp_path / "out"
    report, _ = build(BuildSpec(sites=(Site(base_url=BASE, out=str(out), sources=(source,)),)), BuildOptions(now=NOW))
    entries = []
    for entry in urlset.read(out / "sitemap.xml"):
        assert isinstance(entry, urlset.Url)
        fields_of = ("loc", "lastmod", "changefreq", "priority")
        entries.append({name: value for name in fields_of if (value := getattr(entry, name)) is not None})
    return report.sites[0], entries


YAML: dict[str, tuple[str, dict[str, str] | tuple[str, str]]] = {
    "none": ("# Title", {}),
    "empty": ("---\n---\n# Title", {}),
    "unfinished": ("---\nlastmod: 2025-11-01\n# Title", {}),
    "lastmod": ("---\ntitle: 'A: b'\nlastmod: 2025-11-01\n---\n", {"lastmod": "2025-11-01"}),
    "with time and zone": ("---\nlastmod: 2025-11-01T23:00:00-05:00\n---\n", {"lastmod": "2025-11-02"}),
    "quoted, with a comment": ('---\nupdated: "2025-11-01" # again\n---\n', {"lastmod": "2025-11-01"}),
    "of Docusaurus": ("---\nlast_update:\n  author: me\n  date: 2025-11-01\n---\n", {"lastmod": "2025-11-01"}),
    "of Docusaurus, on one line": ("---\nlast_update: { date: 2025-11-01 }\n---\n", {"lastmod": "2025-11-01"}),
    "TOML": ("+++\nlastmod = 2025-11-01\n+++\n", {"lastmod": "2025-11-01"}),
    "TOML that is none": ("+++\nlastmod = x\n+++\n",
                          ("unreadable", "front matter: Invalid value (at line 1, column 11)")),
    "YAML that is none": ("---\ntitle: a: b\ndraft: true\n---\n",
                          ("unreadable", "front matter: line 2: mapping values are not allowed in this context")),
    "a tag of Python": ("---\nlastmod: !!python/name:os.getcwd\n---\n",
                        ("unreadable", "front matter: line 2: could not determine a constructor for the tag "
                                       "'tag:yaml.org,2002:python/name:os.getcwd'")),
    "with a zone apart": ("---\nlastmod: 2025-11-01 23:00:00 -0500\n---\n", {"lastmod": "2025-11-02"}),
    "a local time": ("---\nlastmod: 2025-11-01T23:00:00\n---\n", {"lastmod": "2025-11-01"}),
    "a local time with a blank": ("---\nlastmod: 2025-11-01 23:00:00\n---\n", {"lastmod": "2025-11-01"}),
    "seconds since 1970": ("---\nlastmod: 1761955200\n---\n", {"lastmod": "2025-11-01"}),
    "a number in quotation marks": ("---\nlastmod: '1761955200'\n---\n", {"lastmod": "2025-11-01"}),
    "an anchor": ("---\nday: &day 2025-11-01\nlastmod: *day\n---\n", {"lastmod": "2025-11-01"}),
    "a table merged in": ("---\nusual: &usual {priority: 0.5}\nsitemap:\n  <<: *usual\n---\n", {"priority": "0.5"}),
    "a text over lines": ("---\nlastmod: >-\n  2025-11-01\n---\n", {"lastmod": "2025-11-01"}),
    "hints that are lists": ("---\nsitemap: {priority: [0.5], changefreq: {a: b}}\n---\n", {}),
    "words that are no flags": ("---\ndraft: 'true story'\nnoindex: null\nsitemap: ~\n---\n", {}),
    "a flag in quotation marks": ("---\ndraft: 'true'\n---\n", ("draft", "")),
    "a rule before a text": ("---\nA text, not a table.\n---\n", {}),
    "JSON": ('{"lastmod": "2025-11-01"}\n\n# Title', {"lastmod": "2025-11-01"}),
    "no date": ("---\nlastmod: yesterday\n---\n", {}),
    "a date to come": ("---\nlastmod: 2026-01-01\n---\n", {}),
    "the day of publication is another matter": ("---\ndate: 2025-11-01\n---\n", {}),
    "hints": ("---\nsitemap:\n  priority: 0.8\n  changefreq: daily\n---\n", {"priority": "0.8", "changefreq": "daily"}),
    "lists and texts of several lines": ("---\ntags:\n  - a\n  - b\ntext: |\n  lastmod: x\nlastmod: 2025-11-01\n---\n",
                                         {"lastmod": "2025-11-01"}),
    "draft": ("---\ndraft: true\n---\n", ("draft", "")),
    "not a draft": ("---\ndraft: false\n---\n", {}),
    "unpublished": ("---\npublished: no\n---\n", ("draft", "")),
    "noindex": ("---\nnoindex: true\n---\n", ("noindex", "")),
    "robots": ("---\nrobots: noindex, follow\n---\n", ("noindex", "")),
    "not for sitemaps": ("---\nsitemap: false\n---\n", ("draft", "sitemap: false")),
    "excluded from sitemaps": ("---\nsitemap: { exclude: true }\n---\n", ("draft", "sitemap: excluded")),
    "to be published": ("---\npublishDate: 2025-12-01\n---\n", ("not-yet", "publishDate: 2025-12-01")),
    "published": ("---\npublishDate: 2025-11-01\n---\n", {}),
    "expired": ("---\nexpiryDate: 2025-11-01\n---\n", ("not-yet", "expiryDate: 2025-11-01")),
    "expired in TOML": ("+++\nexpiryDate = 2025-11-01T00:00:00Z\n+++\n",
                        ("not-yet", "expiryDate: 2025-11-01 00:00:00+00:00")),
}  # fmt: skip


@case_table("text, wanted", YAML)
def test_front_matter(tmp_path: Path, text: str, wanted: dict[str, str] | tuple[str, str]) -> None:
    report, entries = built(tmp_path, {"a.md": text})
    if isinstance(wanted, dict):
        assert entries == [{"loc": f"{BASE}a/", **wanted}]
    else:
        assert entries == []
        assert [(one.what, one.reason, one.detail) for one in report.examples] == [("a.md", *wanted)]


URLS = {
    "permalink: /x/y/": "x/y/",
    "url: /about": "about",
    "url: https://example.com/other": "other",
    "permalink: /:year/:title/": "a/",
    "url: relative": "a/",
}


@pytest.mark.parametrize("line", URLS)
def test_where_a_page_is(tmp_path: Path, line: str) -> None:
    _, entries = built(tmp_path, {"a.md": f"---\n{line}\n---\n"})
    assert entries == [{"loc": BASE + URLS[line]}]


def test_files_and_their_urls(tmp_path: Path) -> None:
    names = ["index.md", "about.mdx", "blog/_index.md", "blog/a.md", "docs/README.md", "image.png", ".git/x.md"]
    report, entries = built(tmp_path, dict.fromkeys(names, ""), path_prefix="/de/", exclude=("about.*",))
    assert [entry["loc"].removeprefix(BASE) for entry in entries] == ["de/", "de/blog/", "de/blog/a/", "de/docs/"]
    assert report.left_out == {"excluded": 1}
    assert complaints(tmp_path / "out") == []
    (tmp_path / "out" / "sitemap.xml").unlink()
    _, entries = built(tmp_path, {}, include=("*.png",), urls=UrlStyle.EXACT)
    assert [entry["loc"] for entry in entries] == [f"{BASE}image.png"]


@pytest.mark.parametrize("text", ["", "-", "---", "---\n", "+++", "{", "{]", "\ufeff---\na: b\n---\n"])
def test_any_beginning_is_read(text: str) -> None:
    assert front_matter.parse(text) in ({}, {"a": "b"})


def test_what_cannot_be_read_is_said() -> None:
    with pytest.raises(front_matter.FrontMatterError, match="line 2: did not find expected key"):
        front_matter.parse("---\n: x\n---\n")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 60_000, "{a: " * 15_000, "- " * 30_000, "a: &a [" + "x, " * 9_000 + "]\nb: &b [*a, *a, *a]\nc: [*b, *b]",
        "a: &a [*a]", "? [a]\n: b", "\x00", "\t- a", "a: \"\\ud800\"",
    ],
    ids=range(9),
)  # fmt: skip
def test_no_front_matter_is_too_much(text: str) -> None:
    found: dict[str, object] = {}
    with suppress(front_matter.FrontMatterError):
        found = front_matter.parse(f"---\n{text}\n---\n")
    assert front_matter.dates(found) == []
