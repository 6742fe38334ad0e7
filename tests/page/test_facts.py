"""Pages and what they say: cases as data, encodings, images and bounds."""

import os
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table

from urlset.web.html_page import PageFacts, read_page, read_page_files

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "cases.toml").read_text("utf-8"))["case"]
# Not of the page's own saying.
_APART = {"content_hash", "encoding", "complete"}


def _plain(value: object) -> object:
    """Tuples as TOML has them; what is not there is left out."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value if item is not None]
    return value


@case_table("case", CASES, ids=lambda case: case["about"])
def test_a_page_says_what_its_case_tells(case: dict[str, Any]) -> None:
    facts = read_page(case["page"].encode())
    said = {name: _plain(getattr(facts, name)) for name in PageFacts.__struct_fields__ if name not in _APART}
    expected = {key: value for key, value in case.items() if key not in ("about", "page")}
    assert expected.keys() <= said.keys()
    given = {name for name, value in said.items() if value not in (None, [], 0, False, "page") or name in expected}
    given -= {"words", "bytes"} - expected.keys()
    assert {name: said[name] for name in given} == expected
    assert facts.complete


@pytest.mark.parametrize(
    ("page", "charset", "encoding", "title"),
    [
        ("<title>é".encode(), None, "UTF-8", "é"),
        ("<title>é".encode("cp1252"), None, "windows-1252", "é"),
        ("<title>é".encode("utf-8-sig"), "iso-8859-1", "UTF-8", "é"),
        ("<title>é".encode("utf-16"), "iso-8859-1", "UTF-16LE", "é"),
        ("<title>ў".encode("cp1251"), "windows-1251", "windows-1251", "ў"),
        ("<title>ў".encode("cp1251"), "Windows-1251", "windows-1251", "ў"),
        (b"<meta charset=windows-1251>" + "<title>ў".encode("cp1251"), "nonsense", "windows-1251", "ў"),
        (b"<meta charset=windows-1251>" + "<title>ў".encode("cp1251"), None, "windows-1251", "ў"),
        ("<title>日本</title>".encode("shift_jis") + b"<meta charset=shift_jis>", None, "Shift_JIS", "日本"),
        (
            b"<meta http-equiv=Content-Type content=\"text/html; charset='euc-kr'\">" + "<title>한".encode("euc-kr"),
            None,
            "EUC-KR",
            "한",
        ),
        ("<meta charset=utf-16><title>é".encode(), None, "UTF-8", "é"),
        ("<meta charset=nonsense><meta charset=koi8-r><title>é".encode(), None, "KOI8-R", "ц╘"),
        ("<!-- <meta charset=koi8-r> --><title>é".encode(), None, "UTF-8", "é"),
        (b"<meta charset=utf-8><title>\xe9", None, "UTF-8", "�"),
    ],
)
def test_the_encoding_is_the_one_that_a_browser_takes(
    page: bytes, charset: str | None, encoding: str, title: str
) -> None:
    facts = read_page(page, charset=charset)
    assert (facts.encoding, facts.title) == (encoding, title)


@pytest.mark.parametrize(
    ("page", "links"),
    [
        ("<noscript><a href=/x>x</a></noscript>", 1),
        ("<head><noscript><link rel=stylesheet href=/y><A href=/x></noscript><title>t</title>", 1),
        ("<noscript><noscript><a href=/x></noscript>", 0),
        ("<noscript><img src=/x></noscript><a href=/y>y</a>", 1),
        ("<template><noscript><a href=/x></noscript></template>", 0),
    ],
)
def test_links_in_noscript_are_those_of_browsers_without_scripts(page: str, links: int) -> None:
    facts = read_page(page.encode(), url="https://example.com/")
    assert facts.links is not None
    assert (len(facts.links), facts.words) == (links, "<a href=/y" in page)


def test_images_are_those_of_the_content_and_only_on_request() -> None:
    page = b"<header><img src=logo></header><main><img src=' /a '><img srcset=b><img src=/c></main>"
    assert read_page(page).images == ()
    assert read_page(page, images=True).images == ("/a", "/c")


@pytest.mark.parametrize(
    "page",
    [
        b"<link rel=canonical href=/x>" * 1001,
        b"<div>" * 600,
        b"<p>" * 1_000_001,
        b"<link rel=canonical href=/" + b"x" * 70_000 + b">",
        b"<title>t</title>" + b"x " * (8 * 1024 * 1024),
        b"<g>" * 500 + b"</x>" * 400_000,
        b"<g>" * 500 + b"</p>" * 400_000,
        b"<g>" * 500 + b"<hr>" * 400_000,
        b"<g>" * 500 + b"<p><x></p></x>" * 200_000,
        b'<script type=application/ld+json>{"dateModified":[' + b'"2020",' * 1_000 + b'"2020"]}</script>',
    ],
    ids=[
        "too many links",
        "too deep",
        "too many elements",
        "too long an address",
        "too long a page",
        "end tags of nothing in a deep tree",
        "paragraphs ended there",
        "lines there",
        "elements closed twice there",
        "too many dates",
    ],
)
def test_reaching_a_bound_is_told(page: bytes) -> None:
    facts = read_page(page)
    assert not facts.complete
    assert len(facts.canonicals) <= 1000


def test_a_large_page_of_the_usual_depth_is_read_whole() -> None:
    block = (
        b"<section><div class=a><ul><li><a href=/x><span>word</span></a><p>more <b>words</b></p></ul></div></section>"
    )
    facts = read_page(b"<body>" + b"<div>" * 25 + block * (7_000_000 // len(block)))
    assert facts.complete


def test_text_below_the_deepest_element_counts_and_the_tree_goes_on_after_it() -> None:
    facts = read_page(b"<main>" + b"<div>" * 1000 + b"deep" + b"</div>" * 1000 + b"</main><nav>menu</nav>")
    assert facts.words == 1


@pytest.mark.parametrize(
    "piece",
    [
        b"<div>", b"<div><p>x", b"<table>", b"<table><tr><td>", b"<a><b><i>x</a></b></i>", b"<svg><g>", b"<template>",
        b"<", b"&", b'<a b="', b"<!--", b"<form>", b"<li><ul>", b"<frameset>", b"\0", b"<b><div>", b"<select><option>",
        b"<nobr>", b"<table>a<b>", b"updated ", b"copyright ", b"<html lang=x>", b"<p><b id=x>y", b"<math><mi>",
    ],
)  # fmt: skip
def test_what_is_repeated_without_end_takes_time_in_proportion(piece: bytes) -> None:
    """Twelve megabytes of this would take hours if any of it were quadratic."""
    assert read_page(piece * (500_000 // len(piece))).words >= 0


def test_attributes_without_end_are_passed_over() -> None:
    many = b" ".join(b"a%d=1" % number for number in range(100_000))
    assert read_page(b"<link " + many + b" rel=canonical href=/x>").canonicals == ("/x",)


def test_files_are_read_like_their_content(tmp_path: Path) -> None:
    names = [
        os.fsencode(tmp_path / "a.html"),
        os.fsencode(tmp_path) + b"/\xff\xe9.html",
        os.fsencode(tmp_path / "large"),
    ]
    contents = [b"<title>a</title><img src=i><p>words here", b"", b"x" * 101]
    for name, content in zip(names, contents, strict=True):
        Path(os.fsdecode(name)).write_bytes(content)
    missing = str(tmp_path / "missing")
    paths = [*map(os.fsdecode, names), missing, str(tmp_path)]
    for images in (False, True):
        first, second, large, absent, directory = read_page_files(
            [(path, None, None) for path in paths], 100, images=images
        )
        assert (first, second) == (read_page(contents[0], images=images), read_page(b"", images=images))
        assert large is None
        assert isinstance(absent, FileNotFoundError)
        assert os.fspath(absent.filename) == missing
        assert isinstance(directory, IsADirectoryError)
    assert read_page_files([], 100) == []


def test_a_tag_with_many_attributes_in_double_quotes() -> None:
    content = b"<title>before</title><p " + b'a="x" ' * 200_000 + b"><h1>after</h1>"
    facts = read_page(content)
    assert (facts.title, facts.heading, facts.complete) == ("before", None, False)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(read_page, content).result() == facts
