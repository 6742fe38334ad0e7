"""The `Sitemap:` lines of robots.txt: what has to be there is there, and every other byte is what it was."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlset.build.robots_lines import with_sitemaps
from urlset.errors import InputError
from urlset.web.robots_txt import Robots

INDEX = "https://example.com/sitemap.xml"
OTHER = "https://example.com/news.xml"
GZIPPED = "https://example.com/sitemap.xml.gz"

CASES = {
    "nothing there": (b"", b"Sitemap: https://example.com/sitemap.xml\n"),
    "at the end": (
        b"User-agent: *\nDisallow:\n",
        b"User-agent: *\nDisallow:\nSitemap: https://example.com/sitemap.xml\n",
    ),
    "no end of the last line": (b"User-agent: *", b"User-agent: *\nSitemap: https://example.com/sitemap.xml\n"),
    "as its lines end": (b"User-agent: *\r\n", b"User-agent: *\r\nSitemap: https://example.com/sitemap.xml\r\n"),
    "old Mac": (b"User-agent: *\rDisallow:\r", b"User-agent: *\rDisallow:\rSitemap: https://example.com/sitemap.xml\r"),
    "there already": (
        b"SITEMAP :https://example.com/sitemap.xml # mine\nX",
        b"SITEMAP :https://example.com/sitemap.xml # mine\nX",
    ),
    "behind others": (
        b"Sitemap: https://example.com/news.xml\n\nUser-agent: *\n",
        b"Sitemap: https://example.com/news.xml\nSitemap: https://example.com/sitemap.xml\n\nUser-agent: *\n",
    ),
    "in place of a stale one": (
        b"a: b\nSitemap: https://example.com/sitemap.xml.gz\nUser-agent: *\n",
        b"a: b\nSitemap: https://example.com/sitemap.xml\nUser-agent: *\n",
    ),
    "a stale one beside the right one": (
        b"Sitemap: https://example.com/sitemap.xml\nSitemap: https://example.com/sitemap.xml.gz\n",
        b"Sitemap: https://example.com/sitemap.xml\n",
    ),
    "byte order mark": (
        b"\xef\xbb\xbfUser-agent: *\n",
        b"\xef\xbb\xbfUser-agent: *\nSitemap: https://example.com/sitemap.xml\n",
    ),
    "not UTF-8": (b"# caf\xe9\n", b"# caf\xe9\nSitemap: https://example.com/sitemap.xml\n"),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_cases(before: bytes, after: bytes) -> None:
    assert with_sitemaps(before, [INDEX], lambda url: url == GZIPPED) == after


@pytest.mark.parametrize(
    ("content", "problem"),
    [("User-agent: *".encode("utf-16"), "is in UTF-16"), (b"GIF89a\0\0", "is a binary file")],
)
def test_what_is_no_text_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(InputError, match=rf"robots\.txt: {problem}"):
        with_sitemaps(content, [INDEX], lambda url: False)


def test_beyond_what_crawlers_read_lines_go_to_the_beginning() -> None:
    before = b"\xef\xbb\xbfUser-agent: *\n" + b"# padding\n" * 60_000
    after = with_sitemaps(before, [INDEX], lambda url: False)
    assert after == b"\xef\xbb\xbfSitemap: " + INDEX.encode() + b"\n" + before[3:]
    assert [one.url for one in Robots.parse(after).sitemaps] == [INDEX]


LINES = st.sampled_from(
    [
        b"User-agent: *", b"Disallow: /a", b"Allow: /a/b", b"", b"# a comment", b"Crawl-delay: 5", b"\xff\xfenot text",
        b"Sitemap: https://example.com/sitemap.xml", b"Sitemap: https://example.com/sitemap.xml.gz", b"no colon",
        b"sitemap:https://example.com/news.xml # one of others", b"  Sitemap : /relative.xml", b"Sitemap:",
        b"\xc2\x85Sitemap: https://example.com/odd.xml", b"Site-map: https://example.com/sitemap.xml.gz",
    ]
)  # fmt: skip
FILES = st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\r\n", b"\r", b"\n\n"])), max_size=12).map(
    lambda lines: b"".join(line + end for line, end in lines)
)
WANTED = st.lists(st.sampled_from([INDEX, OTHER, "https://example.com/sitemap-index-2.xml"]), unique=True, max_size=3)


def without_sitemaps(content: bytes) -> bytes:
    """The file without its `Sitemap:` lines, without empty lines at its beginning and the end of its last line."""
    named = {one.line for one in Robots.parse(content).sitemaps}
    lines = re.findall(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)", content)
    kept = b""
    for number, line in enumerate(lines, 1):
        if number not in named:
            # Two lines stay two, with whatever is taken away between them.
            kept += b"\n" + line if kept.endswith(b"\r") and line.startswith(b"\n") else line
    return kept.strip(b"\r\n")


@example(b"User-agent: *\nSitemap: /x.xml\rSitemap: https://example.com/sitemap.xml.gz\n\nUser-agent: *\n", b"", [])
@example(b"User-agent: *\rSitemap: https://example.com/sitemap.xml.gz\n\nUser-agent: *\n", b"", [])
@given(FILES, st.binary(max_size=20), WANTED)
def test_every_other_byte_is_left_alone(content: bytes, tail: bytes, wanted: list[str]) -> None:
    content += tail
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content:
        return
    after = with_sitemaps(content, wanted, lambda url: url == GZIPPED)
    assert without_sitemaps(after) == without_sitemaps(content)
    before, parsed = Robots.parse(content), Robots.parse(after)
    named = [one.url for one in parsed.sitemaps]
    assert set(wanted) <= set(named)
    assert GZIPPED not in named
    # What is not ours is still named, and nothing else is.
    assert set(named) - set(wanted) == {one.url for one in before.sitemaps} - {GZIPPED} - set(wanted)
    assert [group.rules and [rule.pattern for rule in group.rules] for group in parsed.groups] == [
        group.rules and [rule.pattern for rule in group.rules] for group in before.groups
    ]
    assert with_sitemaps(after, wanted, lambda url: url == GZIPPED) == after
