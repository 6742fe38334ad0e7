"""Relative links of feeds: resolved by `xml:base`, else by the URL of the feed (RFC 4287, section 2)."""

from __future__ import annotations

from typing import NamedTuple

from tests.cases import case_table

from .reading import read

URL = "https://example.com/blog/feed.xml"


class Case(NamedTuple):
    """Attributes of the feed and of its entry, a link, the URL of the feed, and the loc that is read."""

    feed: str
    entry: str
    link: str
    url: str | None
    loc: str

    def __str__(self) -> str:
        return f"{self.feed} {self.entry} {self.link} {self.url}"


ATOM = (
    Case("", "", "a/", URL, "https://example.com/blog/a/"),
    Case("", "", "/a?b#c", URL, "https://example.com/a?b#c"),
    Case("", "", "https://example.org/a", URL, "https://example.org/a"),
    Case("", "", "//example.org/a", URL, "https://example.org/a"),
    Case("", 'xml:base="oak/"', "a/", URL, "https://example.com/blog/oak/a/"),
    Case('xml:base="https://example.org/x/"', "", "a", URL, "https://example.org/x/a"),
    Case('xml:base="https://example.org/x/feed"', 'xml:base="2013/08/"', "../a", None, "https://example.org/x/2013/a"),
    # Nobody knows where it is published.
    Case("", 'xml:base="oak/"', "a/", None, "a/"),
    Case("", "", "a/", None, "a/"),
)


@case_table("case", ATOM)
def test_a_link_of_atom(case: Case) -> None:
    document = (
        f'<feed xmlns="http://www.w3.org/2005/Atom" {case.feed}>'
        f'<entry {case.entry}><link href="{case.link}"/></entry>'
        '<entry><link href="https://example.com/last"/></entry></feed>'
    )
    entries = read(document.encode(), url=case.url).entries
    assert [row["loc"] for row in entries] == [case.loc, "https://example.com/last"]


def test_the_base_of_an_entry_ends_with_it() -> None:
    document = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry xml:base="/a/"><link href="b"/></entry>'
        '<entry><content xml:base="/c/"/><link href="d"/></entry></feed>'
    )
    entries = read(document.encode(), url=URL).entries
    assert [row["loc"] for row in entries] == ["https://example.com/a/b", "https://example.com/blog/d"]


def test_rss_says_nothing_of_relative_links() -> None:
    document = "<rss version='2.0'><channel{}><item><link>a</link></item></channel></rss>"
    assert [row["loc"] for row in read(document.format("").encode(), url=URL).entries] == ["a"]
    based = document.format(' xml:base="https://example.org/"').encode()
    assert [row["loc"] for row in read(based, url=URL).entries] == ["https://example.org/a"]
