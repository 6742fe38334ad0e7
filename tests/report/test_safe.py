"""Making text safe: a table of hostile strings, and what must stay as it is."""

from __future__ import annotations

import csv
import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.model.query import QueryResult
from urlset.report.command_tables import QUERY
from urlset.text.safe import json_pieces, json_text, no_formula, safe, shorten

HOSTILE = {
    "\x1b[31mred": r"\u{1b}[31mred",
    "\x1b]8;;https://evil.example\x07link\x1b]8;;\x07": r"\u{1b}]8;;https://evil.example\u{7}link\u{1b}]8;;\u{7}",
    "\x9b2J": r"\u{9b}2J",
    "a\nb\rc\td": r"a\nb\rc\td",
    "\x00\x08\x7f": r"\u{0}\u{8}\u{7f}",
    "\u202egpj.exe": r"\u{202e}gpj.exe",
    "\u2066a\u2069": r"\u{2066}a\u{2069}",
    "\u200bzero\u200d\ufeff": r"\u{200b}zero\u{200d}\u{feff}",
    "\u2028\u2029\x85": r"\u{2028}\u{2029}\u{85}",
    "a\xa0b\u3000c": r"a\u{a0}b\u{3000}c",
    "\u3164\u2800\ufe0f": r"\u{3164}\u{2800}\u{fe0f}",
    "\U000e0041\U000e0001": r"\u{e0041}\u{e0001}",
    "\udcff\ud800": r"\u{dcff}\u{d800}",
    "\ue000\U0010ffff": r"\u{e000}\u{10ffff}",
    "soft\xadhyphen": r"soft\u{ad}hyphen",
}


@pytest.mark.parametrize(("text", "shown"), HOSTILE.items())
def test_what_would_act_is_escaped(text: str, shown: str) -> None:
    assert safe(text) == shown


@pytest.mark.parametrize(
    "text", ["", "https://example.com/?a=1&b=%20", "naïve façade", "日本語", "עברית", "🎉", r"\u{1b}"]
)
def test_what_is_seen_stays(text: str) -> None:
    assert safe(text) == text


@given(st.text(st.characters(max_codepoint=sys.maxunicode)))
def test_the_result_is_printable_and_stays_so(text: str) -> None:
    shown = safe(text)
    assert shown.isprintable()
    assert safe(shown) == shown


@given(st.text(st.characters(max_codepoint=sys.maxunicode)), st.booleans())
def test_json_reads_back_unchanged(text: str, ascii_only: bool) -> None:
    written = json_text({"text": [text]}, ascii_only=ascii_only)
    assert json.loads(written) == {"text": [text]}
    assert all(line.isprintable() for line in written.split("\n"))
    assert written.isascii() or not ascii_only


def test_shortened() -> None:
    assert [shorten("abcdef", longest) for longest in (5, 6)] == ["abcd…", "abcdef"]


@pytest.mark.long("slow cases")
@given(
    st.dictionaries(
        st.text(), st.one_of(st.integers(), st.text(), st.lists(st.dictionaries(st.text(), st.text()))), min_size=1
    ),
    st.booleans(),
)
def test_json_in_pieces_is_the_same_text(members: dict[str, object], ascii_only: bool) -> None:
    streamed = {name: iter(value) if isinstance(value, list) else value for name, value in members.items()}
    assert "\n".join(json_pieces(streamed, ascii_only=ascii_only)) == json_text(members, ascii_only=ascii_only)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＠", "  =", "\n\t=", "\u00a0="])
def test_no_cell_is_a_formula(start: str) -> None:
    cell = f"{start}HYPERLINK(1)"
    assert no_formula(cell) == f"'{cell}"
    result = QueryResult(("a",), (), iter([(cell,)]))
    [_, [written]] = csv.reader(io.StringIO("\n".join(QUERY.csv(result)), newline=""))
    assert written == f"'{cell}"


def test_other_cells_are_unchanged() -> None:
    assert [no_formula(cell) for cell in ("", "a=b", "/x")] == ["", "a=b", "/x"]
