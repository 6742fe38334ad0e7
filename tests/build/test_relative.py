"""URLs that are not absolute: a path is resolved, and nothing else is taken for one. XML escapes in URLs are undone."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import urlset
from urlset.build.sources.source import absolute
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.sources import Query, Source, UrlList
from urlset.pipeline.build import build

from .judging import BASE, complaints

# What is given; what it is where paths begin with a slash; what it is where they need not. None: it is refused.
CASES: list[tuple[str, str | None, str | None]] = [
    ("/a", "a", "a"),
    ("./a", "a", "a"),
    ("//example.com/a", "a", "a"),
    ("/www.21.dev/x", "www.21.dev/x", "www.21.dev/x"),
    ("https://example.com/a", "a", "a"),
    ("not-a-url", None, "not-a-url"),
    ("about/team", None, "about/team"),
    ("about.html", None, "about.html"),
    ("shop/index.php?a=1", None, "shop/index.php?a=1"),
    ("index.php?a=1", None, "index.php?a=1"),
    ("v1.2/notes", None, "v1.2/notes"),
    ("?page=2", None, "?page=2"),
    ("www.21.dev/x", None, None),
    ("21.dev/y", None, None),
    ("21.dev", None, None),
    ("example.com:8080/x", None, None),
    ("bücher.example/", None, None),
    ("xn--bcher-kva.xn--p1ai/", None, None),
    ("192.0.2.1/x", None, None),
    ("localhost/x", None, None),
    ("mailto:me@example.com", None, None),
]


def wanted(bare: bool) -> list[str]:
    found = [with_option if bare else without for _, without, with_option in CASES]
    return [one for one in dict.fromkeys(found) if one is not None]


def written(folder: Path) -> list[str]:
    return [str(entry.loc).lower().removeprefix(BASE) for entry in urlset.read(folder / "sitemap.xml")]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("kind", ["text", "csv", "jsonl", "sqlite", "python", "arrow"])
def test_only_paths_are_resolved(tmp_path: Path, kind: str, bare: bool) -> None:
    """The same from every list, from queries and from Python."""
    urls = [url for url, _, _ in CASES]
    out = tmp_path / "out"
    if kind in ("python", "arrow"):
        entries: Any = urls if kind == "python" else pa.table({"url": urls})
        summary = urlset.write(entries, BASE, out, bare_paths=bare)
    else:
        site = Site(base_url=BASE, out=str(out), sources=(_source(kind, urls, tmp_path),), bare_paths=bare)
        summary = build(BuildSpec(sites=(site,)), BuildOptions())[0].sites[0].summary
    assert written(out) == wanted(bare)
    refused = {one.url: one.reason for one in summary.examples if one.reason != "duplicate"}
    assert refused == {
        url: _reason(url) for url, without, with_option in CASES if (with_option if bare else without) is None
    }
    assert sum(summary.refused.values()) == summary.received - summary.written
    assert complaints(out) == []


def _reason(url: str) -> str:
    if url.startswith("mailto:"):
        return "url-invalid"
    hosts = ("www.21", "21.dev", "example.com:", "bücher", "xn--", "192.", "localhost")
    return "url-schemeless" if url.startswith(hosts) else "url-bare"


def _source(kind: str, urls: list[str], folder: Path) -> Source:
    if kind == "sqlite":
        with sqlite3.connect(folder / "pages.sqlite") as connection:
            connection.execute("CREATE TABLE pages (url)")
            connection.executemany("INSERT INTO pages VALUES (?)", [(url,) for url in urls])
        return Query(sql="SELECT url AS loc FROM pages", database=str(folder / "pages.sqlite"))
    path = folder / {"text": "urls.txt", "csv": "urls.csv", "jsonl": "urls.jsonl"}[kind]
    lines = {"csv": ["loc", *urls], "jsonl": [json.dumps({"loc": url}) for url in urls]}.get(kind, urls)
    path.write_text("\n".join(lines), encoding="utf-8")
    return UrlList(file=path)


def test_bare_paths_are_below_the_prefix_of_their_source(tmp_path: Path) -> None:
    for name, content in (("a.txt", "a.html\n/b\n"), ("b.csv", "loc\nc.html\n/d\n")):
        (tmp_path / name).write_text(content)
    sources = tuple(UrlList(file=tmp_path / name, path_prefix="/shop/") for name in ("a.txt", "b.csv"))
    site = Site(base_url=BASE, out=str(tmp_path / "out"), sources=sources, bare_paths=True)
    build(BuildSpec(sites=(site,)), BuildOptions())
    assert written(tmp_path / "out") == ["shop/a.html", "shop/b", "shop/c.html", "shop/d"]


@pytest.mark.parametrize(("url", "without", "with_option"), CASES)
def test_sources_and_the_writer_agree(url: str, without: str | None, with_option: str | None, tmp_path: Path) -> None:
    for bare, one in ((False, without), (True, with_option)):
        found = absolute(BASE, url, bare_paths=bare)
        assert (found.lower() == f"{BASE}{one}") if one is not None else (found == url)


def test_links_to_language_versions_may_be_paths(tmp_path: Path) -> None:
    entries: list[Any] = [
        {"loc": {"en": "/en", "de": "/de"}},
        {"url": "/fr/a", "hreflang": "fr", "group": 1},
        {"url": "/it/a", "hreflang": "it", "group": 1},
    ]
    assert urlset.write(entries, BASE, tmp_path).written == 4
    links = {entry.loc: len(entry.alternates) for entry in urlset.read(tmp_path / "sitemap.xml")}  # type: ignore[union-attr]
    assert links == dict.fromkeys([f"{BASE}en", f"{BASE}de", f"{BASE}fr/a", f"{BASE}it/a"], 2)
    assert complaints(tmp_path) == []


def test_loc_and_url_are_one_field(tmp_path: Path) -> None:
    assert urlset.write([{"url": "/a", "lastmod": "2025-11-14"}], BASE, tmp_path).written == 1
    with pytest.raises(urlset.errors.UsageError, match="both loc and url"):
        urlset.write([{"url": "/a", "loc": "/b"}], BASE, tmp_path)


def test_ampersands_escaped_as_xml_are_read_as_such_counted_and_said(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("/?a=1&amp;b=2\n/?a=1&b=3\n/?a=1&amp;amp;b=4\n/private?x=1&amp;y=2\n")
    (tmp_path / "urls.csv").write_text(f"loc,images\n/c?a=1&#38;b=2,{BASE}1.png?a=1&amp;b=2\n/?a=1&b=2,\n")
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /private?x=1&y=2\n")
    sources = (UrlList(file=tmp_path / "urls.txt"), UrlList(file=tmp_path / "urls.csv"))
    site = Site(base_url=BASE, out=str(tmp_path / "out"), sources=sources, robots=tmp_path / "robots.txt")
    (report,) = build(BuildSpec(sites=(site,)), BuildOptions())[0].sites
    assert written(tmp_path / "out") == ["?a=1&b=2", "?a=1&b=3", "?a=1&b=4", "c?a=1&b=2"]
    assert report.left_out == {"robots": 1}
    assert report.summary.refused == {"duplicate": 1}
    assert report.summary.unescaped == 3
    assert report.notes == ("XML escapes in URLs were resolved (&amp; became &) in 3 of 4 entries",)
