"""The frontier: each document once, level by level, within bounds; whatever is not followed is a cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.options import FollowingOptions
from urlset.sources.frontier import CutKind, Frontier, ListedDocument
from urlset.sources.targets import Source, SourceKind

SITE = "https://example.com"


def source(name: str) -> Source:
    return Source(SourceKind.URL, f"{SITE}{name}", f"{SITE}{name}")


def listed(*names: str) -> list[ListedDocument]:
    return [ListedDocument(ordinal, name, ordinal + 2, 3) for ordinal, name in enumerate(names)]


def walk(
    start: Sequence[str], links: Callable[[str], Sequence[str]], bounds: FollowingOptions | None = None, size: int = 1
) -> tuple[list[str], Frontier]:
    """Reads a site whose pages list `links` of their path; gives the paths in the order in which they were read."""
    frontier = Frontier([source(name) for name in start], bounds or FollowingOptions())
    order: list[str] = []
    while True:
        while (following := frontier.next()) is not None:
            number, each = following
            path = each.name.removeprefix(SITE)
            order.append(path)
            if frontier.record_arrival(number, each.name) == number:
                frontier.read(size)
                frontier.add_listed(number, each.name, listed(*links(path)))
        if not frontier.advance():
            return order, frontier


def kinds(frontier: Frontier) -> list[tuple[str, str]]:
    return [(cut.kind.value, cut.url.removeprefix(SITE)) for cut in frontier.cuts]


TREES: dict[str, tuple[dict[str, list[str]], list[str], list[tuple[str, str]]]] = {
    "an index and its children": ({"/i": ["/a", "/b"]}, ["/i", "/a", "/b"], []),
    "itself": ({"/i": ["/i", "/a"]}, ["/i", "/a"], [("self", "/i")]),
    "a cycle of two": ({"/i": ["/j"], "/j": ["/i"]}, ["/i", "/j"], [("cycle", "/i")]),
    "a cycle of three": ({"/i": ["/j"], "/j": ["/k"], "/k": ["/i"]}, ["/i", "/j", "/k"], [("cycle", "/i")]),
    "twice in one index": ({"/i": ["/a", "/a"]}, ["/i", "/a"], [("repeated", "/a")]),
    "once in each of two": (
        {"/i": ["/j", "/k"], "/j": ["/a"], "/k": ["/a"]}, ["/i", "/j", "/k", "/a"], [("repeated", "/a")],
    ),
    "level by level": ({"/i": ["/j", "/a"], "/j": ["/b"]}, ["/i", "/j", "/a", "/b"], []),
    "other ways to write the same": (
        {"/i": ["HTTPS://EXAMPLE.com:443/a", "/a#part", "https://example.com/a"]},
        ["/i", "HTTPS://EXAMPLE.com:443/a"], [("repeated", "/a#part"), ("repeated", "/a")],
    ),
    "what is no http URL": ({"/i": ["mailto:x@example.com", "ftp://example.com/a", "http://", ""]}, ["/i"], []),
    "relative to where it was found": ({"/i": ["a", "../b"]}, ["/i", "/a", "/b"], []),
}  # fmt: skip


@pytest.mark.parametrize("name", TREES)
def test_each_document_is_read_once(name: str) -> None:
    links, order, cuts = TREES[name]
    read, frontier = walk(["/i"], lambda path: links.get(path, []))
    assert (read, kinds(frontier)) == (order, cuts)


def test_an_endless_chain_ends_at_the_depth() -> None:
    read, frontier = walk(["/0"], lambda path: [f"/{int(path[1:]) + 1}"], FollowingOptions(max_depth=3))
    assert read == ["/0", "/1", "/2", "/3"]
    assert kinds(frontier) == [("depth-limit", "/4")]


def test_the_bound_on_documents_is_one_cut_for_each_index() -> None:
    read, frontier = walk(
        ["/i"], lambda path: [f"/{n}" for n in range(10)] if path == "/i" else [], FollowingOptions(max_documents=4)
    )
    assert read == ["/i", "/0", "/1", "/2"]
    assert [(cut.kind, cut.count, cut.ordinal, cut.line) for cut in frontier.cuts] == [(CutKind.DOCUMENTS, 7, 3, 5)]


def test_the_bound_on_bytes_begins_no_further_document() -> None:
    read, frontier = walk(
        ["/i"], lambda path: ["/a", "/b", "/c"] if path == "/i" else [], FollowingOptions(max_total_bytes=20), size=10
    )
    assert read == ["/i", "/a"]
    assert kinds(frontier) == [("byte-limit", "/b"), ("byte-limit", "/c")]


def test_what_redirects_to_a_known_document_is_not_read_again() -> None:
    frontier = Frontier([source("/i")], FollowingOptions())
    assert frontier.next() is not None
    frontier.add_listed(0, f"{SITE}/i", listed("/a", "/b", "/c"))
    assert frontier.advance()
    assert frontier.record_arrival(1, f"{SITE}/i") == 0
    assert frontier.record_arrival(2, f"{SITE}/c") == 3
    assert frontier.record_arrival(3, f"{SITE}/c") == 3
    assert [(cut.kind.value, cut.ordinal, cut.duplicate_of) for cut in frontier.cuts] == [
        ("self", 0, 0),
        ("repeated", 1, 3),
    ]


def test_what_was_given_twice_is_read_twice() -> None:
    read, frontier = walk(["/a", "/a"], lambda path: [])
    assert read == ["/a", "/a"]
    assert frontier.cuts == []


def test_without_bounds_nothing_is_followed() -> None:
    frontier = Frontier([source("/i")])
    assert frontier.next() is not None
    frontier.add_listed(0, f"{SITE}/i", listed("/a"))
    assert not frontier.advance()


@pytest.mark.long("slow cases")
@given(
    st.dictionaries(st.integers(0, 12), st.lists(st.integers(0, 12), max_size=6)),
    st.integers(1, 6),
    st.integers(1, 20),
)
def test_any_graph_ends_and_every_edge_is_read_or_cut(graph: dict[int, list[int]], depth: int, documents: int) -> None:
    read, frontier = walk(
        ["/0"],
        lambda path: [f"/{child}" for child in graph.get(int(path[1:]), [])],
        FollowingOptions(max_depth=depth, max_documents=documents),
    )
    assert len(set(read)) == len(read) <= documents
    edges = sum(len(graph.get(int(path[1:]), [])) for path in read)
    assert edges == len(read) - 1 + sum(cut.count for cut in frontier.cuts)
