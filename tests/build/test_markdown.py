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
    "a draft of a generator that ignores case": ("---\nDraft: true\n---\n", ("draft", "")),
    "unlisted in Docusaurus": ("---\nunlisted: true\n---\n", ("draft", "unlisted: true")),
    "headless in Hugo": ("+++\nheadless = true\n+++\n", ("draft", "headless: true")),
    "never rendered in Hugo": ("---\nbuild:\n  render: never\n---\n", ("draft", "build: render: never")),
    "never rendered in earlier Hugo": ("---\n_build: {list: false}\n---\n", ("draft", "_build: list: False")),
    "not for sitemaps in Jekyll": ("---\nsitemap: 'false'\n---\n", ("draft", "sitemap: false")),
    "excluded by its own key": ("---\nsitemap_exclude: yes\n---\n", ("draft", "sitemap_exclude: true")),
    "ignored in Eleventy": ("---\nsitemap: { ignore: true }\n---\n", ("draft", "sitemap: excluded")),
    "not in collections of Eleventy": ("---\neleventyExcludeFromCollections: true\n---\n",
                                       ("draft", "eleventyExcludeFromCollections: true")),
    "not written by Eleventy": ("---\npermalink: false\n---\n", ("draft", "permalink: false")),
    "a state": ("---\nStatus: hidden\n---\n", ("draft", "status: hidden")),
    "a state that is public": ("---\nstatus: published\n---\n", {}),
    "not to be published": ("---\npublish: false\n---\n", ("draft", "publish: false")),
    "noindex of a theme of Hugo": ("---\nrobotsNoIndex: true\n---\n", ("noindex", "")),
    "noindex in a table": ("---\nseo: {noindex: true}\n---\n", ("noindex", "")),
    "robots with none": ("---\nrobots: none\n---\n", ("noindex", "")),
    "robots as a list": ("---\nrobots: [noindex, nofollow]\n---\n", ("noindex", "")),
    "robots as a table": ("---\nrobots: {index: false}\n---\n", ("noindex", "")),
    "robots that allow": ("---\nrobots: all, max-image-preview:none\n---\n", {}),
    "a post to come": ("---\ndate: 2025-12-01\n---\n", ("not-yet", "date: 2025-12-01")),
    "a post that is out, with a date to come": ("---\npublishDate: 2025-11-01\ndate: 2025-12-01\n---\n", {}),
    "a post to come in Astro": ("---\npubDate: 2025-12-01\n---\n", ("not-yet", "pubDate: 2025-12-01")),
    "a day of publication to come": ("---\npublished: 2025-12-01\n---\n", ("not-yet", "published: 2025-12-01")),
    "an archetype": ("---\ntitle: '{{ replace .Name }}'\n---\n", ("template", "title: {{ replace .Name }}")),
    "no text": (" \n\n", ("empty", "")),
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
    report, [home, *entries] = built(tmp_path, {"index.md": "", "a.md": text})
    assert home == {"loc": BASE}
    if isinstance(wanted, dict):
        assert entries == [{"loc": f"{BASE}a/", **wanted}]
    else:
        assert entries == []
        assert [(one.what, one.reason, one.detail) for one in report.examples] == [("a.md", *wanted)]


# The file, its front matter, and the path of its URL, or the reason and the detail why it is left out.
URLS: dict[str, tuple[str, str, str | tuple[str, str]]] = {
    "permalink": ("a.md", "permalink: /x/y/", "x/y/"),
    "URL": ("a.md", "url: /about", "about"),
    "URL, absolute": ("a.md", "url: https://example.com/other", "other"),
    "URL, relative": ("a.md", "url: relative", "a/"),
    "URL in Hugo, before a slug": ("a.md", "slug: x\nurl: /about", "about"),
    "permalink of Jekyll": (
        "a.md", "permalink: /:year/:title/", ("unknown-url", "permalink: /:year/:title/")),
    "permalink of Eleventy": ("a.md", "permalink: w/index.html", "w/"),
    "permalink with a template": (
        "a.md", "permalink: '/{{ page.fileSlug }}/'", ("unknown-url", "permalink: /{{ page.fileSlug }}/"),
    ),
    "slug": ("a.md", "slug: custom-slug", "custom-slug/"),
    "slug below": ("blog/a.md", "slug: b", "blog/b/"),
    "slug, absolute": ("docs/a.md", "slug: /start", "start/"),
    "slug of the home page": ("docs/intro.md", "slug: /", ""),
    "slug up": ("docs/a.md", "slug: ../b", "b/"),
    "slug of a directory": ("blog/a/index.md", "slug: b", "blog/b/"),
    "slug of a section": ("blog/_index.md", "slug: b", "blog/"),
    "slug that is a number": ("a.md", "slug: 2024", "2024/"),
    "slug to encode": ("a.md", "slug: 'ü b'", "%C3%BC%20b/"),
    "slug with a dot": ("a.md", "slug: v1.2", "v1.2/"),
    "slug that is empty": ("a.md", "slug: ''", "a/"),
    "version": ("x.de.md", "", "de/x/"),
    "version of a directory": ("blog/y/index.pt-br.md", "", "pt-br/blog/y/"),
    "version without a default": ("a.de.md", "", (
        "unknown-url", "its path depends on whether de is the default language",
    )),
    "no version": ("v1.2.md", "", "v1.2/"),
    "no version, but a name": ("socket.io.md", "", "socket.io/"),
    "drafts": ("_drafts/wip.md", "title: x", ("draft", "in _drafts/")),
    "drafts in a section": ("blog/_drafts/wip.md", "permalink: /x/", ("draft", "in _drafts/")),
    "includes": ("_includes/x.md", "title: x", ("partial", "in _includes/")),
    "partial": ("_partial.mdx", "title: x", ("partial", "its name starts with _")),
    "collection with permalinks": ("_pages/a.md", "permalink: /about/", "about/"),
    "collection without": ("_posts/2025-01-01-a.md", "title: x", (
        "unknown-url", "in _posts/, and without a permalink",
    )),
    "package": ("node_modules/x/README.md", "title: x", ("tooling", "in node_modules/")),
    "error page": ("404.md", "title: x", ("error-page", "")),
    "error page below": ("de/404.md", "title: x", ("error-page", "")),
    "page called error": ("error.md", "title: Module error", "error/"),
    "page called null": ("api/null.md", "title: Module null", "api/null/"),
    "dynamic route": ("blog/[slug].mdx", "", ("unknown-url", "the name is that of a dynamic route")),
    "route group": ("(shop)/cart.mdx", "", ("unknown-url", "the name is that of a dynamic route")),
    "extension in uppercase": ("A.MD", "", "A/"),
}  # fmt: skip


@case_table("file, line, wanted", URLS)
def test_where_a_page_is(tmp_path: Path, file: str, line: str, wanted: str | tuple[str, str]) -> None:
    others = {"z.md": "text", "x.md": "text", "blog/y/index.md": "text"}
    report, entries = built(tmp_path, {**others, file: f"---\n{line}\n---\ntext"})
    found = {entry["loc"].removeprefix(BASE) for entry in entries} - {"z/", "x/", "blog/y/"}
    if isinstance(wanted, str):
        assert found == {wanted}
        assert report.left_out == {}
    else:
        assert found == set()
        assert [(one.what, one.reason, one.detail) for one in report.examples] == [(file, *wanted)]


def test_files_and_their_urls(tmp_path: Path) -> None:
    names = ["index.md", "about.mdx", "blog/_index.md", "blog/a.md", "docs/README.md", "image.png", ".git/x.md"]
    report, entries = built(tmp_path, dict.fromkeys(names, "text"), path_prefix="/de/", exclude=("about.*",))
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
