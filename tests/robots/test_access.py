"""The counts of blocked URLs match the verdicts on each URL."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlset
import urlset.model
from urlset.web.agents import KNOWN_AGENTS
from urlset.web.robots_txt import Robots, SectionAccess

ROBOTS = b"""\
User-agent: *
Disallow: /search
Disallow: /blog/drafts/

User-agent: GPTBot
User-agent: CCBot
Disallow: /
Allow: /blog/

Sitemap: https://example.com/sitemap.xml
"""
PATHS = ["", "about", "search?q=a/b", "blog/", "blog/one", "blog/drafts/two", "shop/a/b", "robots.txt", "caf%C3%A9/x"]
AGENTS = [agent.name for agent in KNOWN_AGENTS]


def urls_of(paths: list[str], host: str = "https://example.com") -> urlset.model.Table:
    return urlset.read("\n".join(f"{host}/{path}" for path in paths).encode()).urls


def section_of(path: str) -> str:
    folder, slash, _ = path.partition("?")[0].partition("/")
    return f"/{folder}/" if slash else "/"


@given(st.lists(st.sampled_from(PATHS), min_size=1, max_size=30))
def test_counts_match_the_verdicts(paths: list[str]) -> None:
    robots = Robots.of_answer(200, ROBOTS, "https://example.com/robots.txt")
    expected: dict[str, list[int]] = {}
    for path in paths:
        counts = expected.setdefault(section_of(path), [0] * (1 + len(AGENTS)))
        counts[0] += 1
        for number, agent in enumerate(AGENTS, start=1):
            counts[number] += not robots.is_allowed(agent, f"/{path}")
    found = robots.access(urls_of(paths), AGENTS)
    assert found == {name: SectionAccess(counts[0], tuple(counts[1:])) for name, counts in expected.items()}


def test_other_origins_are_skipped() -> None:
    robots = Robots.of_answer(200, ROBOTS, "https://example.com/robots.txt")
    assert robots.access(urls_of(PATHS, "https://example.org"), AGENTS) == {}


@pytest.mark.parametrize(("status", "forbidden"), [(404, 0), (503, 1)])
def test_missing_allows_everything_and_unreachable_nothing(status: int, forbidden: int) -> None:
    robots = Robots.of_answer(status, b"", "https://example.com/robots.txt")
    assert robots.access(urls_of(["search"]), ["Googlebot"]) == {"/": SectionAccess(1, (forbidden,))}


@pytest.mark.long("slow cases")
def test_number_of_sections_is_limited() -> None:
    robots = Robots.of_answer(200, ROBOTS, "https://example.com/robots.txt")
    found = robots.access(urls_of([f"{number}/a" for number in range(10_050)]), ["GPTBot"])
    assert len(found) == 10_001
    assert found["other"] == SectionAccess(50, (50,))
