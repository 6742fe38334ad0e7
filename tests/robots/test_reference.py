"""Matching compared with a slow, independent reference: regular expressions, one rule after another."""

from __future__ import annotations

import random
import re
from urllib.parse import quote_from_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import case_table

from urlset.web.robots_txt import Robots

UNRESERVED = r"[A-Za-z0-9._~-]"
KEPT = "!&'()*+,/:;=?@[]$~%"
"""Characters allowed in a path or query, including `*`, `$`, and `%`, besides letters, digits, and `_.-~`."""


def normal(text: str) -> str:
    """RFC 9309, section 2.2.2, in three replacements."""
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)
    text = quote_from_bytes(text.encode(), safe=KEPT)
    return re.sub("%..", lambda found: undone(found[0].upper()), text)


def undone(escape: str) -> str:
    character = chr(int(escape[1:], 16))
    return character if re.fullmatch(UNRESERVED, character) else escape


def regex_of(pattern: str) -> re.Pattern[str]:
    anchored = pattern.endswith("$")
    body = normal(pattern[:-1] if anchored else pattern)
    parts = [re.escape(part.replace("$", "%24")) for part in body.split("*")]
    return re.compile(".*".join(parts) + ("$(?!\n)" if anchored else ""), re.DOTALL)


def slow_verdict(rules: list[tuple[bool, str]], path: str, *, google: bool = False) -> tuple[bool, int | None]:
    """Return whether the path is allowed, and the number of the rule that decides.

    With `google` as robots.cc has it: an Allow that does not match, whose last segment begins with index.htm, is
    compared once more as its folder and `$`.
    """
    path = normal(path).replace("*", "%2A").replace("$", "%24")
    if path == "/robots.txt":
        return True, None
    best: tuple[int, bool, int] | None = None
    for number, (allow, pattern) in enumerate(rules):
        if google and allow and not regex_of(pattern).match(path) and "/index.htm" in pattern:
            folder, slash, name = pattern.rpartition("/")
            pattern = f"{folder}{slash}$" if name.startswith("index.htm") else pattern
        if pattern[:1] in ("/", "*") and regex_of(pattern).match(path):
            anchor = pattern.endswith("$")
            length = len(normal(pattern[:-1] if anchor else pattern)) + anchor
            candidate = (length, allow, -number)
            best = candidate if best is None else max(best, candidate)
    return (True, None) if best is None else (best[1], -best[2])


ALPHABET = ["a", "b", "/", "*", "$", "?", "%61", "%2F", "%2f", "%2A", "%", "é", "%C3%A9", " ", "A", ".", "="]
PIECES = st.lists(st.sampled_from(ALPHABET), max_size=7).map("".join)
PATTERNS = st.tuples(st.sampled_from(["/", "/", "/", "*", ""]), PIECES).map("".join).map(str.strip)
RULES = st.lists(st.tuples(st.booleans(), PATTERNS), max_size=8)
PATHS = PIECES.map(lambda rest: f"/{rest}")


def compare(rules: list[tuple[bool, str]], path: str, agent: str = "ExampleBot") -> None:
    lines = [f"{'Allow' if allow else 'Disallow'}: {pattern}" for allow, pattern in rules]
    robots = Robots.parse("\n".join(["User-agent: *", *lines]).encode())
    verdict = robots.verdict(agent, f"https://example.com{path}")
    expected = slow_verdict(rules, path, google=agent == "Googlebot")
    assert (verdict.allowed, None if verdict.line is None else verdict.line - 2) == expected


@given(RULES, PATHS)
def test_verdicts_match_the_reference(rules: list[tuple[bool, str]], path: str) -> None:
    compare(rules, path)


ALIKE = st.lists(st.tuples(st.booleans(), st.text("ab/*$", max_size=5).map("/".__add__)), max_size=40)


@given(ALIKE, st.text("ab/", max_size=12).map("/".__add__))
def test_rules_with_a_common_prefix_match_the_reference(rules: list[tuple[bool, str]], path: str) -> None:
    compare(rules, path)


FOLDERS = st.lists(st.sampled_from(["a", "/", "*", "$", "index.htm", "index.html", "/index.html"]), max_size=5)
INDEX_RULES = st.lists(st.tuples(st.booleans(), FOLDERS.map("".join).map("/".__add__)), max_size=6)
INDEX_PATHS = st.lists(st.sampled_from(["a", "/", "index.html", "?"]), max_size=4).map("".join).map("/".__add__)


@given(INDEX_RULES, INDEX_PATHS, st.sampled_from(["Googlebot", "ExampleBot"]))
def test_index_pages_match_the_reference(rules: list[tuple[bool, str]], path: str, agent: str) -> None:
    compare(rules, path, agent)


@pytest.mark.long("slow cases")
@case_table("seed", range(40))
def test_many_rules_match_the_reference(seed: int) -> None:
    chance = random.Random(seed)
    words = ["a", "b", "ab", "ba", "abc", "cab", "/", "*", "*", "*", "$", "abcab"]

    def piece(least: int) -> str:
        return "".join(chance.choices(words, k=chance.randint(least, 6)))

    rules = [(chance.random() < 0.4, f"{chance.choice('/*')}{piece(1)}") for _ in range(300)]
    for _ in range(30):
        compare(rules, f"/{piece(0)}".replace("*", "c").replace("$", "b"))
