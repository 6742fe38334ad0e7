"""Compare readers: from bytes in memory to parsed entries."""

from __future__ import annotations

import contextlib
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import PeerError, Reader, reason_of
from bench.report import Row, Section, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.inputs import Input

HERE = Path(__file__).parent
PEERS = HERE / "peers"
PEER_PYTHON = HERE.parent / ".venv-bench" / "bin" / "python"


def why_not_sitemapjs() -> str:
    """Return why sitemap.js cannot be measured here; an empty string if it can."""
    if not shutil.which("node"):
        return "node is not installed"
    if not (PEERS / "sitemapjs" / "node_modules" / "sitemap").is_dir():
        return "npm is not installed"
    return ""


TOOLS = HERE / "tools"
"""Where `make bench` builds the peers that must be compiled."""


def _missing(tool: Path, made_with: str) -> str:
    """Return why a compiled peer cannot be measured here; an empty string if it can."""
    return "" if tool.exists() else f"it was not built, which requires {made_with}"


def _compiled() -> list[tuple[Row, list[str]]]:
    """Return the readers in Go, Java, and Rust, which `make bench` builds where their compilers are installed."""
    gopher, crate, jars = TOOLS / "bin" / "gopher", TOOLS / "bin" / "urlset-bench-sitemap", TOOLS / "crawler-commons"
    return [
        (
            Row(
                "crawler-commons",
                "`SiteMapParser.parseSiteMap(bytes, url)` in Java, all entries iterated",
                None,
                note=_missing(jars, "Maven and a JDK"),
            ),
            ["java", "-cp", f"{jars}/*", "Worker"],
        ),
        (
            Row(
                "gopher-parse-sitemap",
                "`sitemap.Parse` in Go, the fields of each entry taken",
                None,
                note=_missing(gopher, "Go"),
            ),
            [str(gopher)],
        ),
        (
            Row(
                "sitemap (crate)",
                "`SiteMapReader` in Rust, iterated completely",
                None,
                note=_missing(crate, "cargo"),
            ),
            [str(crate)],
        ),
    ]


LESS_OR_MORE = (
    "crawler-commons drops URLs outside the directory of the sitemap if asked, which is not the case here; it reports "
    "no errors per entry. gopher-parse-sitemap checks nothing, parses lastmod on demand, and reads no extensions. The "
    "sitemap crate parses every field into a type, and reads no extensions. urlset checks every value, counts "
    "positions, and builds all columns."
)
"""What the compiled peers do less or more than urlset."""

OBJECTS = "urlset, into objects"
OBJECTS_FLOOR, OBJECTS_AIM = 6, 10
"""How many times as fast as Scrapy urlset must be, and should be, if it also creates a Python object for each entry."""
NON_ASCII_FLOOR_NS, NON_ASCII_AIM_NS = 250, 150


def _readers() -> list[tuple[Row, list[str]]]:
    """Return every reader to compare, urlset first: its row, and its command without the input."""
    python = str(PEER_PYTHON)
    return [
        (
            Row(
                "urlset",
                "`urlset.scan(data)`; all batches consumed, so that every column of every table is built",
                None,
            ),
            [sys.executable, str(PEERS / "urlset_scan.py")],
        ),
        (
            Row(
                OBJECTS,
                "`for entry in urlset.read(data)`; loc, lastmod, changefreq, and priority of each entry taken",
                None,
                compared=False,
            ),
            [sys.executable, str(PEERS / "urlset_read.py")],
        ),
        (
            Row(
                "Scrapy",
                "`for entry in scrapy.utils.sitemap.Sitemap(data)`; the same fields of each entry taken",
                None,
                floor=20,
            ),
            [python, str(PEERS / "scrapy_sitemap.py")],
        ),
        (
            Row(
                "ultimate-sitemap-parser",
                "`usp.tree.sitemap_from_str(data.decode()).all_pages()`, iterated completely",
                None,
                floor=60,
            ),
            [python, str(PEERS / "ultimate_sitemap_parser.py")],
        ),
        (
            Row(
                "sitemap.js",
                "`XMLToSitemapItemStream` fed from memory in chunks of 64 KiB, all items consumed; timed inside "
                "Node.js",
                None,
                note=why_not_sitemapjs(),
                floor=60,
            ),
            ["node", str(PEERS / "sitemapjs" / "worker.js")],
        ),
        (
            Row(
                "advertools",
                "`advertools.sitemap_to_df` on a file: URL (it does not accept bytes; the file is cached)",
                None,
            ),
            [python, str(PEERS / "advertools_sitemap.py")],
        ),
        (
            Row(
                "lxml (libxml2)",
                "`etree.fromstring(data)`, then the text of each field of each url; nothing is checked",
                None,
            ),
            [python, str(PEERS / "lxml_tree.py")],
        ),
        *_compiled(),
    ]


def measure_reading(source: Input, rounds: int, versions: dict[str, str], say: Callable[[str], None]) -> Section:
    """Measure reading from bytes in memory to parsed entries, in warm processes: one sample per round, in turns."""
    table = []
    with contextlib.ExitStack() as stack:
        running: list[tuple[Row, Reader]] = []
        for row, command in _readers():
            table.append(row)
            if row.note:
                continue
            try:
                reader = stack.enter_context(Reader([*command, str(source.path)], source.entries))
                reader.read(keep=False)
            except (PeerError, OSError) as error:
                row.note = reason_of(error)
                continue
            versions |= reader.versions
            row.samples = reader.samples
            running.append((row, reader))
        for number in range(rounds):
            say(f"  {source.name}: round {number + 1} of {rounds}")
            for _, reader in running:
                reader.read(keep=True)
    section = Section(
        title=f"Reading: {source.about}",
        about=(
            f"{source.path.name}, {source.megabytes:.1f} MB, from bytes in memory to parsed entries. "
            "One warm process each, without imports and after one unmeasured read."
        ),
        rows=table,
        entries=source.entries,
    )
    samples = {row.name: row.samples for row in table}
    ours, objects, scrapy = samples["urlset"], samples[OBJECTS], samples["Scrapy"]
    if objects and scrapy:
        ratio = scrapy.median / objects.median
        section.lines = [
            "Ratios are to urlset with columns. Scrapy, ultimate-sitemap-parser, and sitemap.js create an object for "
            f"each entry; urlset does that {ratio:.1f} times as fast as Scrapy. Floor {OBJECTS_FLOOR}: "
            f"{verdict(ratio >= OBJECTS_FLOOR)}; aim {OBJECTS_AIM}: {verdict(ratio >= OBJECTS_AIM)}."
        ]
    if any(samples[row.name] for row, _ in _compiled()):
        section.lines.append(LESS_OR_MORE)
    if ours and source.name == "plain":
        speed, aim = source.entries / ours.median, 2_000_000
        section.lines.append(f"Aim for urlset: {aim:,} entries/s: {verdict(speed >= aim)} ({speed:,.0f}).")
    if ours and source.name == "non-ascii":
        taken = ours.median / source.entries * 1e9
        section.lines.append(
            f"urlset takes {taken:.0f} ns per entry. Floor {NON_ASCII_FLOOR_NS} ns: "
            f"{verdict(taken <= NON_ASCII_FLOOR_NS)}; aim {NON_ASCII_AIM_NS} ns: {verdict(taken <= NON_ASCII_AIM_NS)}."
        )
    if source.name == "rich":
        section.lines += [
            "Scrapy keeps the href of each link but no images; lxml reads only the fields of url here; urlset, "
            "ultimate-sitemap-parser, sitemap.js, and advertools also read links and images.",
        ]
    return section
