"""Check URLs against robots.txt: many URLs, 200 rules in four groups, five user agents, two of which share a group."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import PeerError, Reader
from bench.report import Row, Section, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

PEERS = Path(__file__).parent / "peers"
FEW, MANY = 5_000, 1_000_000
"""Number of URLs that every program checks, and that only urlset checks, because a peer would take minutes."""

FLOOR_SECONDS, AIM_SECONDS = 10.0, 1.0
AGENTS = ("Googlebot", "Bingbot", "GPTBot", "CCBot", "ExampleBot")
_VERSION = 1
_WORDS = ("shop", "blog", "news", "cart", "user", "search", "item", "tag", "page", "archive", "images", "old", "print")
_GROUPS = (("*",), ("Googlebot",), ("Bingbot",), ("GPTBot", "CCBot"))


def _pattern(rng: random.Random, number: int) -> str:
    """Return a pattern of one of four kinds: a folder, a folder at any depth, a query, an extension."""
    first, second = rng.choice(_WORDS), rng.choice(_WORDS)
    return (
        f"/{first}/{second}-{number}/",
        f"/*/{first}-{number}/",
        f"/{first}*?{second}{number}=",
        f"/*.{second}{number}$",
    )[number % 4]


def _robots() -> str:
    rng = random.Random("robots")
    lines: list[str] = []
    for agents in _GROUPS:
        lines += [f"User-agent: {agent}" for agent in agents]
        rules = range(50)
        lines += [f"{'Disallow' if number % 5 else 'Allow'}: {_pattern(rng, number)}" for number in rules]
    return "\n".join(lines) + "\n"


def _urls(count: int) -> str:
    rng = random.Random(count)
    urls = (
        f"https://www.example.com/{rng.choice(_WORDS)}/{rng.choice(_WORDS)}-{number % 60}/article-{number}.html\n"
        for number in range(count)
    )
    return "".join(urls)


def make_input(folder: Path, count: int) -> Path:
    """Return a file of this many URLs, with a robots.txt next to it."""
    path = folder / f"robots-{count}-v{_VERSION}.txt"
    if not path.exists():
        path.with_suffix(".robots").write_text(_robots())
        path.write_text(_urls(count))
    return path


def blocked_urls(path: Path) -> int:
    """Return the number of blocked URLs over all agents, which must be the same for all programs."""
    from urlset import _core
    from urlset.web.robots_txt import Robots

    robots = Robots.parse(path.with_suffix(".robots").read_bytes())
    batches = (batch["urls"] for batch in _core.Reader(path.read_bytes()) if "urls" in batch)
    return sum(robots.blocked_urls(urls, AGENTS, 0).num_rows for urls in batches)


def measure_robots(
    folder: Path, rounds: int, peer_python: str, versions: dict[str, str], say: Callable[[str], None]
) -> Section:
    """Measure verdicts on URLs in memory, in warm processes: one sample of each per round, in turns."""
    few, many = make_input(folder, FEW), make_input(folder, MANY)
    ours = [sys.executable, str(PEERS / "urlset_robots.py")]
    protego = [peer_python, str(PEERS / "protego_robots.py")]
    commands = [
        (Row("urlset", "`Robots.blocked_urls(urls, agents)` on the table of URLs", None), ours, few),
        (Row("Protego", "`can_fetch(url, agent)` for each URL and agent", None), protego, few),
        (Row(f"urlset, {MANY:,} URLs", "the same with more URLs", None, compared=False), ours, many),
    ]
    for row, command, path in commands:
        say(f"  {row.name}")
        try:
            with Reader([*command, str(path)], blocked_urls(path)) as reader:
                reader.read(keep=False)
                for _ in range(rounds):
                    reader.read(keep=True)
                versions |= reader.versions
                row.samples = reader.samples
        except (PeerError, OSError) as error:
            row.note = str(error) if isinstance(error, PeerError) else f"{error.strerror}"
    section = Section(
        title=f"robots.txt: {FEW:,} URLs for {len(AGENTS)} user agents",
        about="200 rules in four groups, half of them with wildcards; all programs must block the same URLs.",
        rows=[row for row, _, _ in commands],
    )
    large = commands[2][0].samples
    if large:
        taken = large.median
        section.lines = [
            f"{MANY:,} URLs for {len(AGENTS)} user agents: {taken:.2f} s. Floor {FLOOR_SECONDS:g} s: "
            f"{verdict(taken <= FLOOR_SECONDS)}; aim {AIM_SECONDS:g} s: {verdict(taken <= AIM_SECONDS)}."
        ]
    return section
