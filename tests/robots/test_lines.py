"""How the lines of a robots.txt are read, and which problems are recorded: `cases/lines.toml`, and the limits."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import case_table

from urlset import _core
from urlset.web.robots_content import ExtensionLine
from urlset.web.robots_txt import Robots

CASES = tomllib.loads((Path(__file__).parent / "cases" / "lines.toml").read_text("utf-8"))["case"]
LIMITS = _core.protocol_limits()
KINDS = set(_core.vocabularies()["robots_problems"])


def content_of(case: dict[str, Any]) -> bytes:
    if "robots_hex" in case:
        return bytes.fromhex(case["robots_hex"])
    return str(case["robots"]).encode(case.get("encoding", "utf-8"))


def problems_of(robots: Robots) -> list[str]:
    return [f"{problem.kind} {problem.line}" if problem.line else problem.kind for problem in robots.problems]


def extension_of(line: ExtensionLine) -> str:
    parts = (line.line, line.key, line.group_line, line.problem, line.evidence)
    return " ".join(str(part) for part in parts if part is not None)


@case_table("case", CASES, ids=lambda case: case["about"])
def test_case(case: dict[str, Any]) -> None:
    expected = {"agents", "rules", "sitemaps", "extensions", "problems"}
    assert case.keys() <= expected | {"about", "robots", "robots_hex", "encoding", "url"}
    robots = Robots.parse(content_of(case), case.get("url"))
    seen = {
        "agents": [agent.value for group in robots.groups for agent in group.agents],
        "rules": [
            f"{rule.line} {'allow' if rule.allow else 'disallow'} {rule.pattern}"
            for group in robots.groups
            for rule in group.rules
        ],
        "sitemaps": [sitemap.url for sitemap in robots.sitemaps],
        "extensions": [extension_of(line) for line in robots.extensions],
    }
    assert {key: seen[key] for key in seen.keys() & case.keys()} == {
        key: case[key] for key in seen.keys() & case.keys()
    }
    assert problems_of(robots) == case.get("problems", [])
    assert all(problem.about.endswith(".") for problem in robots.problems)


def test_every_problem_of_an_extension_has_a_case() -> None:
    lines = [line for case in CASES for line in Robots.parse(content_of(case)).extensions]
    assert {line.problem for line in lines} - {None} == set(_core.vocabularies()["extension_problems"])
    assert all(line.about is None or line.about.endswith(".") for line in lines)


def test_every_problem_has_a_case() -> None:
    seen = {problem.split()[0] for case in CASES for problem in case.get("problems", ())}
    assert seen | {"too-large", "too-many-rules", "too-many-stars", "line-too-long"} == KINDS


def test_places_of_a_sitemap_line() -> None:
    line = Robots.parse("User-agent: *\n ö Sitemap: x\n\tSitemap :  https://example.com/ö b\n".encode()).sitemaps[0]
    assert (line.line, line.column, line.key) == (3, 13, "Sitemap")
    assert line.problem == "whitespace"


def test_only_500_kib_are_read() -> None:
    most = int(LIMITS["max_robots_bytes"])
    head = b"User-agent: *\n"
    filler = b"#" * (most - len(head) - len(b"\nDisallow: /in\nDisallow: /cut")) + b"\n"
    content = head + filler + b"Disallow: /in\nDisallow: /cut-off\nDisallow: /beyond\n"
    robots = Robots.parse(content)
    assert [rule.pattern for rule in robots.groups[0].rules] == ["/in"], "half a line is no rule"
    assert robots.facts["bytes"] == len(content)
    assert robots.facts["bytes_unread"] == len(content) - most
    assert problems_of(robots) == ["too-large"]
    assert str(most) in robots.problems[0].evidence
    whole = Robots.parse(content[:most])
    assert whole.facts["bytes_unread"] == 0
    assert [rule.pattern for rule in whole.groups[0].rules] == ["/in", "/cut"]


def test_too_long_line_is_ignored() -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: /" + b"a" * 16_664 + b"\nDisallow: /b\n")
    assert [rule.pattern for rule in robots.groups[0].rules] == ["/b"]
    assert problems_of(robots) == ["line-too-long 2"]
    assert len(robots.problems[0].evidence) <= 120


def test_agents_times_rules_are_limited() -> None:
    content = b"User-agent: a\n" * 1_000 + b"Disallow: /x\n" * 1_000
    robots = Robots.parse(content)
    assert robots.tables(0)["robots"].num_rows == LIMITS["max_robots_rows"]
    assert problems_of(robots) == ["too-many-rules"]
    assert not robots.is_allowed("a", "/x")


def test_table_of_rules_is_limited_in_bytes() -> None:
    rules = b"".join(b"Disallow: /" + b"\xff" * 14_000 + b"\n" for _ in range(14))
    agents = b"".join(b"User-agent: a%d\n" % number for number in range(16_000))
    robots = Robots.parse(agents + rules)
    rows = robots.tables(0)["robots"].num_rows
    assert 0 < rows < 1_000
    assert [(problem.kind, problem.evidence) for problem in robots.problems if problem.line is None] == [
        ("too-many-rules", f"{rows} of 224000 pairs of user agent and rule are listed")
    ]
    assert not robots.is_allowed("a15999", "/" + "%FF" * 14_000), "verdicts use all rules"


def test_stars_are_limited_and_further_rules_counted() -> None:
    most = int(LIMITS["max_robots_stars"])
    robots = Robots.parse(b"User-agent: *\n" + b"Disallow: /*a*b\n" * (most // 2 + 3) + b"Disallow: /c\n")
    assert problems_of(robots) == ["too-many-stars"]
    assert robots.problems[0].evidence == "rules ignored: 3"
    assert not robots.is_allowed("a", "/c")
    assert not robots.is_allowed("a", "/xab")


def test_problems_of_the_whole_file_are_listed_after_any_number_of_lines() -> None:
    robots = Robots.parse(b"nonsense\n" * 1_500 + b"User-agent: a\n" * 1_000 + b"Disallow: /x\n" * 1_000)
    assert robots.problems[-1].kind == "too-many-rules"


def test_problems_beyond_the_limit_are_counted() -> None:
    robots = Robots.parse(b"nonsense\n" * 1_500)
    assert len(robots.problems) == LIMITS["max_anomalies_per_kind"]
    assert robots.facts["problems_unlisted"] == 500


@given(st.binary(max_size=300), st.sampled_from([None, "https://example.com/robots.txt", "robots.txt"]))
def test_any_bytes(content: bytes, url: str | None) -> None:
    robots = Robots.parse(content, url)
    assert {problem.kind for problem in robots.problems} <= KINDS
    tables = robots.tables(7)
    assert tables["sitemap_lines"].num_rows == len(robots.sitemaps)
    lines = robots.facts["lines"]
    assert all(1 <= line <= lines for name in ("robots", "sitemap_lines") for line in tables[name].column("line"))
    assert robots.is_allowed("ExampleBot", "/robots.txt")


KEYS = ["User-agent", "Disallow", "Allow", "Sitemap", "Noise", "user agent", "disalow", "http"]
LINES = st.lists(
    st.tuples(
        st.sampled_from(KEYS),
        st.sampled_from([":", " ", ": ", " : ", ""]),
        st.sampled_from(["*", "/", "/a*b$", "bot", "é", "#", "https://example.com/s.xml", "", "\0", "a b"]),
        st.sampled_from(["\n", "\r", "\r\n"]),
    ).map("".join),
    max_size=12,
).map("".join)


@given(LINES)
def test_a_mark_changes_nothing_and_utf_16_hides_the_rules(text: str) -> None:
    plain, marked = Robots.parse(text.encode()), Robots.parse(text.encode("utf-8-sig"))
    wide = Robots.parse(b"\xff\xfe" + text.encode("utf-16-le"))
    assert (plain.groups, ()) == (marked.groups, wide.groups)
    assert plain.sitemaps == marked.sitemaps == wide.sitemaps
