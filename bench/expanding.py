"""From a site to all its sitemaps: whole processes follow an index of compressed children on the loopback network."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

from bench import inputs
from bench.measure import PeerError, Samples
from bench.report import Row, Section, verdict
from bench.server import ORIGIN

if TYPE_CHECKING:
    from collections.abc import Iterator

PEERS = Path(__file__).parent / "peers"
CHILDREN, CHILDREN_QUICK = 1_000, 100
ENTRIES = 1_000
FLOOR = 10
DELAY_MS = 20
MEMORY_FLOOR_MB = 300

Command = tuple[Row, list[str], tuple[int, ...]]


@contextlib.contextmanager
def serving(folder: Path, delay_ms: int = 0) -> Iterator[str]:
    """Serve the site in a separate process that all programs use as their proxy, and yield its origin."""
    command = [sys.executable, "-m", "bench.server", str(folder), str(delay_ms)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        proxy = process.stdout.readline().strip()
        if not proxy:
            raise PeerError("the server of the site did not start")
        try:
            with mock.patch.dict(
                os.environ, {"HTTP_PROXY": proxy, "http_proxy": proxy, "NO_PROXY": "", "no_proxy": ""}
            ):
                yield ORIGIN
        finally:
            process.stdin.close()


def commands(origin: str, children: int, urlset: str, peer_python: str) -> list[Command]:
    """Return every program that follows the index, urlset first."""
    expected = str(children * ENTRIES)
    # With few children, this mostly measures start-up.
    floor = FLOOR if children == CHILDREN else None
    ours = [urlset, "validate", origin, "--discover", "--expand", "--no-cache", "--no-config", "--format", "json"]
    return [
        (
            Row(
                "urlset validate",
                "`urlset validate ORIGIN --discover --expand --no-cache --format json`: robots.txt, the common "
                "locations, the index, its children, and all default rules",
                Samples(),
            ),
            ours,
            (0, 1),
        ),
        (
            Row(
                "urlset inspect",
                "`urlset inspect ORIGIN --discover --expand --no-cache --format json`: the same without the rules",
                Samples(),
                compared=False,
            ),
            [urlset, "inspect", *ours[2:]],
            (0,),
        ),
        (
            Row(
                "ultimate-sitemap-parser",
                "`sitemap_tree_for_homepage(ORIGIN, use_known_paths=False).all_pages()`, iterated completely",
                Samples(),
                floor=floor,
            ),
            [peer_python, str(PEERS / "ultimate_sitemap_parser_expand.py"), origin, expected],
            (0,),
        ),
        (
            Row("advertools", "`sitemap_to_df` on the index: one data frame with all entries", Samples(), floor=floor),
            [peer_python, str(PEERS / "advertools_expand.py"), origin, expected],
            (0,),
        ),
    ]


def make_site(folder: Path, children: int) -> Path:
    """Return the child sitemaps as files, created once."""
    return inputs.make_children(folder, children, ENTRIES)


def slow_section(rows: list[Row], children: int) -> Section:
    """Return the section of the report on a server that responds late."""
    return Section(
        title=f"The same site, with {DELAY_MS} ms of latency for each response",
        about=(
            f"{children:,} children. The programs that request one sitemap after the other wait "
            f"{children * DELAY_MS / 1000:g} s in all; urlset requests several at once, within its limits per host."
        ),
        rows=rows,
        entries=children * ENTRIES,
        memory=True,
    )


def section(rows: list[Row], children: int) -> Section:
    """Return the section of the report."""
    made = Section(
        title=f"From a site to all its sitemaps: {children:,} gzipped child sitemaps of {ENTRIES:,} URLs, "
        "whole process",
        about=(
            "On loopback, through a proxy in a separate process that serves prepared responses. urlset validates "
            "everything; the others only read it. Includes start-up, imports, and output."
        ),
        rows=rows,
        entries=children * ENTRIES,
        memory=True,
    )
    ours = rows[0].samples
    if ours and ours.peak_bytes:
        peak = max(ours.peak_bytes) / 1e6
        made.lines = [
            f"Peak memory of urlset: {peak:,.0f} MB. Floor {MEMORY_FLOOR_MB} MB: {verdict(peak <= MEMORY_FLOOR_MB)}."
        ]
    return made
