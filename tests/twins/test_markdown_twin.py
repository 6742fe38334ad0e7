"""Markdown twins without I/O: where one may be, its text, and what it lacks of its page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.web.html_page import read_text
from urlset.web.llms_txt import covers
from urlset.web.markdown_twin import (
    MAX_HEADINGS,
    MAX_MISSING_WORDS,
    conventional,
    difference,
    form_of,
    pages_of,
    read_markdown,
    words_of,
)

AT = "https://example.com"

NAMES = [
    ("/", ["/index.md", "/index.html.md"]),
    ("/docs/", ["/docs/index.md", "/docs/index.html.md", "/docs.md"]),
    ("/docs/intro", ["/docs/intro.md"]),
    ("/intro.html", ["/intro.md", "/intro.html.md"]),
    ("/v1.2/", ["/v1.2/index.md", "/v1.2/index.html.md", "/v1.2.md"]),
    ("/release-1.2", ["/release-1.2.md"]),
    ("/file.pdf", []),
    ("/a?page=2", ["/a.md"]),
]
"""Paths of pages, and of the twins that they may have: https://llmstxt.org/."""


@pytest.mark.parametrize(("page", "twins"), NAMES)
def test_names(page: str, twins: list[str]) -> None:
    assert [url.removeprefix(AT) for url in conventional(AT + page)] == twins
    for twin in twins:
        assert form_of(AT + page, AT + twin)
        assert AT + page.partition("?")[0] in pages_of(AT + twin)


def test_other_files_are_no_twins() -> None:
    assert pages_of(f"{AT}/llms.txt") == ()
    assert form_of(f"{AT}/a", f"{AT}/b.md") == ""


def test_markdown() -> None:
    read = read_markdown(
        b"\xef\xbb\xbf---\ntitle: 'Chairs & tables'\n---\n<!-- hidden -->\n# All [chairs](/secret-path)\n\nSizes\n---\n"
        b"```sh\n# no heading\n```\n<h3 id=x>Care</h3> &amp; more\n"
    )
    assert read.title == "Chairs & tables"
    assert read.headings == ("All [chairs] ", "Sizes", "Care")
    words = words_of(read.text)
    assert {"chairs", "tables", "all", "heading", "care", "more"} <= {*words}
    assert not {"hidden", "secret", "id", "x", "amp"} & {*words}


PAIRS = [
    ("the same text", "<h1>Chairs</h1><h2>Our <code>sizes</code></h2><p>All", "# Chairs\n## Our `sizes`\nAll", ()),
    ("a heading in another form", "<h1>Chairs</h1><h2>Sizes</h2>", "---\ntitle: Chairs\n---\n**Sizes**", ()),
    ("an anchor in a heading", '<h1>Chairs <a href="#c">\u200b</a></h1>', "# Chairs", ()),
    ("headings of navigation and dialogs", "<nav><h2>Menu</h2></nav><main><h1>Chairs</h1></main>", "# Chairs", ()),
    ("a heading that is missing", "<h1>Chairs</h1><h2>Sizes</h2><h2>Care</h2>", "# Chairs\nsizes of", ("Care",)),
    ("another script", "<h1>\u6905\u5b50</h1>", "# \u6905\u5b50\u7684\u5927\u5c0f", ()),
]  # fmt: skip


@pytest.mark.parametrize(("about", "page", "twin", "missing"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_headings(about: str, page: str, twin: str, missing: tuple[str, ...]) -> None:
    read = read_text(page.encode())
    found = difference(read.text, read.headings, read_markdown(twin.encode()))
    assert found.missing_headings == missing, about


def test_words() -> None:
    page = read_text(b"<main><h1>Chairs</h1><p>red oak chairs</main><footer>imprint</footer>")
    found = difference(page.text, page.headings, read_markdown(b"# Tables\nred"))
    assert (found.words, found.missing_words, found.has_title) == (3, frozenset({"oak", "chairs"}), False)
    assert (found.title, found.twin_title) == (("chairs",), ("tables",))


@given(st.binary(max_size=400) | st.text("#-`<>[](){}=\n\\ a&;:!", max_size=400).map(str.encode))
def test_any_bytes(content: bytes) -> None:
    read = read_markdown(content)
    assert difference(read.text, read.headings, read).missing_words == frozenset()
    read_text(content)


@pytest.mark.parametrize("piece", ["<", "<!--", "](", "[a](", "<h1>", "# ", "```\n", "---\n", "&", "](a("])
def test_repeated_pieces_take_linear_time(piece: str) -> None:
    read_markdown((piece * 100_000).encode())


SPACES = " " * 8_000


@pytest.mark.parametrize(
    ("text", "title", "headings"),
    [
        (f"---\ntitle: a{SPACES}b\n---\n", f"a{SPACES}b", ()),
        (f"---\ntitle: a{SPACES}\n---\n", "a", ()),
        ("---\ntitle:\n---\n# A", "A", ("A",)),
        (f"# a{SPACES}b", f"a{SPACES}b", (f"a{SPACES}b",)),
        (f"# a{SPACES}##{SPACES}", "a", ("a",)),
        (f"# a{SPACES}##b", f"a{SPACES}##b", (f"a{SPACES}##b",)),
        ("# a#\n## ##\n#b\n", "a#", ("a#", "")),
    ],
)
def test_long_lines_take_linear_time(text: str, title: str, headings: tuple[str, ...]) -> None:
    read = read_markdown(text.encode())
    assert (read.title, read.headings) == (title, headings)


def test_many_headings_and_words_are_limited() -> None:
    many = MAX_HEADINGS * 5
    twin = read_markdown("".join(f"# a{number} b\n" for number in range(many)).encode())
    page = " ".join(f"c{number}" for number in range(many))
    found = difference(page, [f"c{number} d" for number in range(many)], twin)
    assert (found.headings, len(found.missing_headings)) == (MAX_HEADINGS, MAX_HEADINGS)
    assert found.uncompared_headings == 2 * (many - MAX_HEADINGS)
    assert (found.words, found.lacking, len(found.missing_words)) == (many, many, MAX_MISSING_WORDS)


def test_covered() -> None:
    assert covers(f"{AT}/llms.txt", f"{AT}/a/b")
    assert covers(f"{AT}/docs/llms.txt", f"{AT}/docs")
    assert not covers(f"{AT}/docs/llms.txt", f"{AT}/docs.html")
