"""`urlset build` from a folder of HTML, twice, and from a CSV, compared with writers that are fed row by row."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import PeerError, Samples, run_whole
from bench.report import Row, Section, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PEERS = Path(__file__).parent / "peers"
SITE = "https://www.example.com"

PAGES, PAGES_PER_SECOND = 20_000, 10_000
AGAIN_PER_SECOND = 10_000
"""Goal for a folder in which nothing has changed."""
LISTED = 1_000_000
_VERSION = 1

_WORDS = [
    "amber",
    "ash",
    "garden",
    "stone",
    "river",
    "light",
    "paper",
    "cedar",
    "north",
    "field",
    "copper",
    "window",
    "morning",
    "salt",
    "linen",
    "harbour",
]
_SECTIONS = "".join(f'<li><a href="/section-{number}/">Section {number}</a></li>' for number in range(40))


def make_pages(folder: Path, count: int = PAGES) -> Path:
    """Create a folder of pages of about 8 kB: head with canonical and date, navigation, main text, footer."""
    place = folder / f"pages-{count}-v{_VERSION}"
    if place.exists():
        return place
    making = place.with_suffix(".making")
    shutil.rmtree(making, ignore_errors=True)
    for number in range(count):
        name = f"section-{number // 200}/page-{number}.html"
        text = " ".join(_WORDS[(number * step + step) % len(_WORDS)] for step in range(700))
        day = f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}T10:00:00Z"
        path = making / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Page {number}</title>\n'
            f'<link rel="canonical" href="{SITE}/{name}"><meta property="article:modified_time" content="{day}">\n'
            f"</head><body><nav><ul>{_SECTIONS}</ul></nav><main><h1>Page {number}</h1><p>{text}</p></main>\n"
            f"<footer>© 2025 Example</footer></body></html>\n"
        )
    making.rename(place)
    return place


def make_csv(folder: Path, count: int = LISTED) -> Path:
    """Create a CSV with the entries that the other writers also write."""
    path = folder / f"list-{count}-v{_VERSION}.csv"
    if not path.exists():
        making = path.with_suffix(".making")
        with making.open("w") as file:
            file.write("loc,lastmod\n")
            for number in range(count):
                query = f"?colour=ash&page={number % 40}" if number % 4 == 0 else ""
                day = f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}"
                file.write(f"{SITE}/catalogue/garden/amber-ash-{number}{query},{day}\n")
        making.rename(path)
    return path


def measure_pages(folder: Path, rounds: int, urlset: Path, say: Callable[[str], None]) -> Section:
    """Measure whole processes: each round builds into an empty folder, and then again."""
    place = make_pages(folder)
    first = Row("urlset build", "into an empty directory: every page is read", Samples(), compared=False)
    again = Row("urlset build, again", "nothing has changed", Samples(), compared=False)
    for number in range(rounds):
        say(f"  folder: round {number + 1} of {rounds}")
        with tempfile.TemporaryDirectory() as out:
            command = [
                str(urlset),
                "build",
                str(place),
                "--base-url",
                SITE,
                "-o",
                out,
                "--lastmod-from",
                "page,content",
            ]
            for row in (first, again):
                _run(row, command)
    section = Section(
        f"Building: a directory of {PAGES:,} HTML pages, whole process",
        "From files to a published set, with canonical, noindex, refresh, languages, and lastmod read from each page.",
        [first, again],
        entries=PAGES,
        memory=True,
    )
    if first.samples and again.samples:
        speed = PAGES / first.samples.median
        faster = PAGES / again.samples.median
        section.lines = [
            f"Floor {PAGES_PER_SECOND:,} pages/s: {verdict(speed >= PAGES_PER_SECOND)} ({speed:,.0f}). "
            f"Unchanged: floor {AGAIN_PER_SECOND:,} pages/s: {verdict(faster >= AGAIN_PER_SECOND)} "
            f"({faster:,.0f})."
        ]
    return section


def measure_csv(
    folder: Path, rounds: int, urlset: Path, peer_python: Path, sitemapjs: str, say: Callable[[str], None]
) -> Section:
    """Measure whole processes that turn a CSV into the files of a set."""
    path = make_csv(folder)
    rows = [
        (Row("urlset build", "plain files", Samples()), [str(urlset), "build", str(path), "--base-url", SITE, "-o"]),
        (
            Row("urlset build, gzip", "`--gzip parts`, level 6", Samples(), compared=False),
            [str(urlset), "build", str(path), "--base-url", SITE, "--gzip", "parts", "-o"],
        ),
        (
            Row(
                "sitemap.js",
                "lines split at the comma, passed to `SitemapAndIndexStream`; plain files",
                None if sitemapjs else Samples(),
                note=sitemapjs,
                floor=12,
            ),
            ["node", str(PEERS / "sitemapjs" / "write_csv.js"), str(path)],
        ),
        (
            Row(
                "py-xml-sitemap-writer",
                "rows of `csv.reader`, passed to `add_url`; it always compresses",
                Samples(),
                floor=4,
            ),
            [str(peer_python), str(PEERS / "xml_sitemap_writer_csv.py"), str(path)],
        ),
    ]
    for number in range(rounds):
        say(f"  CSV: round {number + 1} of {rounds}")
        for row, command in rows:
            with tempfile.TemporaryDirectory() as out:
                _run(row, [*command, out])
    return Section(
        f"Building: {LISTED:,} URLs with lastmod from a CSV file, whole process",
        "From the list to closed files and their index; urlset also flushes them to disk.",
        [row for row, _ in rows],
        entries=LISTED,
        memory=True,
    )


def _run(row: Row, command: Sequence[str]) -> None:
    """Run a command once; one that fails gets a note instead of numbers."""
    if row.samples is None:
        return
    try:
        run_whole(command, row.samples)
    except (PeerError, OSError) as error:
        row.samples, row.note = None, str(error) if isinstance(error, PeerError) else f"{error.strerror}"
