"""Any bytes at all: nothing crashes, parsers read the result, fixing twice changes nothing, no URL goes unnamed."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.parsers import expat
from xml.sax.saxutils import unescape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree
from tests.cases import case_table
from tests.tiers import examples

from urlset import _core

ROOT = Path(__file__).parents[2]
SEEDS = [
    path.read_bytes()
    for folder in ("examples/good", "examples/faulty", "examples/index", "examples/text", "tests/rules/clean")
    for path in sorted((ROOT / folder).glob("*.*"))
]
FRAGMENTS = """
<url> </url> <loc> </loc> & < > " ' &nbsp; &#0; ]]> <![CDATA[ <!-- --> <lastmod> 2024/1/5 xmlns="" <image:image>
</image:image> <image:loc> <urlset> </urlset> <sitemapindex> <sitemap> <x:y> <?xml?> <!DOCTYPE <xhtml:link/> <news:news>
<news:publication> </ /> <foo> </foo> URL xmlns:image="a" <video:tag> \xff \xc3 \x00 \x1e
""".encode("latin-1").split()
NOT_REPAIRED = {
    "repeated-field", "unknown-element", "unknown-attribute", "misplaced-url", "misplaced-sitemap", "field-empty",
    "tag-case", "element-order",
}  # fmt: skip
"""Anomalies that may be left: what they mean has no one right answer, or is nobody's business."""
LEFT_OUT_ENTRIES = {
    "no-loc", "relative-url", "not-http", "malformed-url", "undecodable", "declared-entity", "markup-in-url",
}  # fmt: skip


def rewritten(content: bytes) -> tuple[bytes, dict[str, Any]]:
    rewriter = _core.Rewriter(content)
    body = b"".join(rewriter)
    result = rewriter.result()
    return result["head"] + body + result["tail"], result


def read(content: bytes) -> tuple[dict[str, Any], set[str], list[str], bool]:
    """Facts, kinds of anomalies, every URL, and whether an entry has more than one."""
    reader = _core.Reader(content)
    kinds: set[str] = set()
    urls: list[str] = []
    has_repeats = False
    for batch in reader:
        if "anomalies" in batch:
            kinds.update(batch["anomalies"].column("kind"))
        for table in ("urls", "children"):
            if table not in batch:
                continue
            for loc, repeats in zip(batch[table].column("loc"), batch[table].column("repeats"), strict=True):
                again = [one.removeprefix("loc=") for one in repeats or () if one.startswith("loc=")]
                has_repeats |= bool(again)
                urls.extend(url for url in (loc, *again) if url)
    return reader.facts(), kinds, urls, has_repeats


def bare(url: str) -> str:
    """What a URL and its repaired form have in common: letters and digits, however they are escaped."""
    url = re.sub(r"&#0*(34|38|39|60|62);|\\(u\{[0-9a-f]+\}|[nrt])|[^\w!-~]|\ufffd", "", url)
    while (plain := unescape(unquote(url, errors="ignore"), {"&quot;": '"', "&apos;": "'"})) != url:
        url = plain
    return re.sub(r"[\W_]+", "", url)


def holds(text: str, part: str) -> bool:
    """Whether the characters of a part are in a text, in their order."""
    rest = iter(text)
    return all(char in rest for char in part)


def assert_well_formed(content: bytes) -> None:
    """Lxml and expat read it; a parser of their own keeps them from opening anything."""
    etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    parser = expat.ParserCreate(namespace_separator=" ")
    try:
        parser.Parse(content, True)
    except expat.ExpatError:
        at = content[parser.ErrorByteIndex :].decode(errors="replace")[:1]
        if at.isascii() or at == "\ufffd":
            raise
        # Beyond ASCII, expat has the names of an older edition of XML.


def mutated(number: int) -> bytes:
    """A document with a few things inserted, removed, repeated or overwritten."""
    chance = random.Random(number)
    content = bytearray(chance.choice(SEEDS))
    for _ in range(chance.randint(1, 6)):
        at, kind = chance.randrange(len(content) + 1), chance.random()
        if kind < 0.5:
            content[at:at] = chance.choice(FRAGMENTS)
        elif kind < 0.7:
            del content[at : at + chance.randint(1, 12)]
        elif kind < 0.85:
            source = chance.randrange(len(content) + 1)
            content[at:at] = content[source : source + chance.randint(1, 80)]
        elif kind < 0.95 and content:
            content[min(at, len(content) - 1)] = chance.randrange(256)
        else:
            del content[at:]
    return bytes(content)


def check(content: bytes) -> None:
    once, result = rewritten(content)
    if result["refusal"] is not None:
        return
    twice, again = rewritten(once)
    assert (again["refusal"], again["repairs"], again["left_out"]) == (None, [], [])
    assert twice == once
    if result["kind"] != "text":
        assert_well_formed(once)
    before, _, urls, has_repeats = read(content)
    after, kinds, kept, _ = read(once)
    assert kinds <= NOT_REPAIRED
    assert after["complete"]
    assert after["encoding"] == "UTF-8"
    assert after["well_formed"] is not False
    assert after["entries"] == result["entries"]
    named = [text for _, _, text in result["left_out"]]
    there = {bare(url) for url in (*kept, *named)}
    beginnings = tuple(bare(text) for text in named if text.endswith("…"))
    # Of a field that lacks its end tag, the reader takes less than `fix` names, which names it with all its tags.
    wider = [bare(text) for kind, _, text in result["left_out"] if kind == "markup-in-url"]
    lost = [url for url in map(bare, urls) if url not in there and not url.startswith(beginnings)]
    assert [url for url in lost if not any(holds(text, url) for text in wider)] == []
    # An element that is no entry is listed as well, by its beginning.
    is_other = re.compile(r"<(?!(url|sitemap)\b)", re.IGNORECASE).match
    left_out = [kind for kind, _, text in result["left_out"] if kind != "declared-entity" or not is_other(text)]
    if "other-document" not in left_out and "not-a-url" not in left_out and not has_repeats:
        duplicates = sum(count for kind, count, _ in result["repairs"] if kind == "duplicate-entry")
        gone = sum(kind in LEFT_OUT_ENTRIES for kind in left_out)
        assert before["entries"] == after["entries"] + gone + duplicates


@pytest.mark.sampled(1)
@pytest.mark.parametrize("block", range(20))
def test_mutations_of_real_documents(block: int) -> None:
    for number in range(block * 500, block * 500 + 500):
        try:
            check(mutated(number))
        except AssertionError as error:
            raise AssertionError(f"mutation {number}: {error}") from error


@settings(max_examples=examples(300), deadline=None)
@example(b"<url><image:image>https://example.com/<url>")
@given(st.lists(st.sampled_from([*FRAGMENTS, b"https://example.com/", b" ", b"\n", b"a"]), max_size=40).map(b"".join))
def test_anything_of_the_pieces_of_sitemaps(content: bytes) -> None:
    check(b"<urlset>" + content)


@settings(max_examples=examples(300), deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    check(content)


CLEAN = [path for path in sorted((ROOT / "tests/rules/clean").iterdir()) if path.suffix in (".xml", ".txt")]


@case_table("path", CLEAN, ids=lambda path: path.name)
def test_well_made_documents_stay_byte_for_byte(path: Path) -> None:
    content = path.read_bytes()
    after, result = rewritten(content)
    assert not result["repairs"]
    assert not result["left_out"]
    assert result["refusal"] in (None, "feed")
    if result["refusal"] is None:
        assert after == content


@pytest.mark.parametrize("size", [1, 7, 64, 1_000])
def test_how_the_bytes_come_does_not_matter(size: int) -> None:
    class Slow:
        def __init__(self, content: bytes) -> None:
            self.content = content

        def read(self, _: int) -> bytes:
            piece, self.content = self.content[:size], self.content[size:]
            return piece

    for content in SEEDS:
        rewriter = _core.Rewriter(Slow(content))
        body = b"".join(rewriter)
        result = rewriter.result()
        assert (result["head"] + body + result["tail"], result) == rewritten(content)
