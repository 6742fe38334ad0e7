"""Measure validating and building large sets with DuckDB and with Spark: cost per URL, cost per file, and the slope."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
import tempfile
from typing import TYPE_CHECKING, NamedTuple

from bench import inputs
from bench.measure import PeerError, Samples, reason_of, run_whole
from bench.report import Row, Section, milliseconds

if TYPE_CHECKING:
    import resource
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

ENGINES: Mapping[str, Sequence[str]] = {"DuckDB": (), "Spark": ("--engine", "spark", "--master", "local[2]")}
"""The options of each engine."""

CEILING_URLS, CEILING_FILES = 2_500_000_000, 50_000
"""The largest set that the protocol allows: an index of 50,000 sitemaps with 50,000 URLs each."""

_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of Linux: descendants whose parent ends become children of this process."""


class Size(NamedTuple):
    """A set: the number of its files, and of URLs in each."""

    files: int
    each: int

    @property
    def urls(self) -> int:
        """The number of URLs."""
        return self.files * self.each


class Sizes(NamedTuple):
    """The sets to measure. The cost per URL is the slope between two, that per file the difference for as many URLs."""

    slope: tuple[Size, Size]
    small: Size
    small_files: Size


FULL = Sizes((Size(200, 50_000), Size(1_000, 50_000)), Size(20, 50_000), Size(1_000, 1_000))
QUICK = Sizes((Size(4, 50_000), Size(8, 50_000)), Size(2, 50_000), Size(100, 1_000))


def measure_validating(data: Path, urlset: Path, sizes: Sizes, say: Callable[[str], None]) -> Section:
    """Measure whole processes that validate, once each, because the largest take many minutes."""
    taken: dict[tuple[str, Size], Samples] = {}
    rows = []
    for size in (sizes.small_files, sizes.small, *sizes.slope):
        say(f"  validating {size.urls:,} URLs in {size.files:,} files")
        folder = str(inputs.make_children(data, size.files, size.each))
        command = [str(urlset), "validate", "--format", "json", "--max-examples", "1", folder]
        rows += _both("validate", size, (command, command), taken, (0, 1), "FOLDER")
    about = f"Files of {sizes.slope[0].each:,} URLs, and for the cost per file the same URLs in files of "
    section = Section(
        "Validating on one machine and on Spark, whole process",
        f"{about}{sizes.small_files.each:,}. All default rules. Spark runs with local[2], and starts Java first.",
        rows,
        memory=True,
    )
    section.lines = [line for engine in ENGINES for line in _costs(engine, sizes, taken)]
    return section


def measure_building(data: Path, urlset: Path, sizes: Sizes, say: Callable[[str], None]) -> Section:
    """Measure whole processes that build, once each."""
    taken: dict[tuple[str, Size], Samples] = {}
    rows = []
    for size in (sizes.small, *sizes.slope):
        say(f"  building {size.urls:,} URLs")
        table = str(_table(data, size.urls))
        with tempfile.TemporaryDirectory() as out:
            # A set that is published already would not be written again.
            commands = (
                [str(urlset), "build", table, "--base-url", "https://example.com", "-o", f"{out}/{engine}"]
                for engine in ENGINES
            )
            rows += _both("build", size, commands, taken, (0,), "FILE")
    section = Section(
        "Building on one machine and on Spark, whole process",
        "From a Parquet file with loc and lastmod to a published set.",
        rows,
        memory=True,
    )
    section.lines = [line for engine in ENGINES for line in _costs(engine, sizes, taken)]
    return section


def _both(
    what: str,
    size: Size,
    commands: Iterable[Sequence[str]],
    taken: dict[tuple[str, Size], Samples],
    good_exits: Sequence[int],
    source: str,
) -> list[Row]:
    """Run the command of each engine, and return a row for each."""
    rows = []
    for (engine, options), command in zip(ENGINES.items(), commands, strict=True):
        row = Row(f"{engine}, {size.urls:,} URLs, {size.files:,} files", "", Samples(), compared=False)
        row.calls = f"`urlset {' '.join((what, *options, source))}`" if size.each > 1_000 else ""
        try:
            run_with_descendants([*command, *options], row.samples or Samples(), good_exits)
            taken[engine, size] = row.samples or Samples()
        except (PeerError, OSError) as error:
            row.samples, row.note = None, reason_of(error)
        rows.append(row)
    return rows


def run_with_descendants(command: Sequence[str], samples: Samples, good_exits: Sequence[int]) -> None:
    """Run a command, and count the CPU time and memory of all its descendants: Spark runs Java, and Java runs Python.

    Raises:
        PeerError: It failed.
    """
    if sys.platform != "linux":
        raise PeerError("the time of all descendants is only known on Linux")
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    own = Samples()
    try:
        run_whole(command, own, good_exits=good_exits)
    finally:
        # Those of a command that failed, too, which would otherwise count as the next one's.
        others = list(_ended())
    samples.seconds += own.seconds
    samples.cpu_seconds.append(own.cpu_seconds[0] + sum(usage.ru_utime + usage.ru_stime for usage in others))
    samples.peak_bytes.append(max(own.peak_bytes[0], *(usage.ru_maxrss * 1024 for usage in others), 0))


def _ended() -> Iterator[resource.struct_rusage]:
    """Wait for all children of this process, and yield what each used with its own children."""
    while True:
        try:
            yield os.wait4(-1, 0)[2]
        except ChildProcessError:
            return


def _costs(engine: str, sizes: Sizes, taken: dict[tuple[str, Size], Samples]) -> list[str]:
    """Return sentences about the cost per URL and per file, and about the largest set that the protocol allows."""
    few, many = (taken.get((engine, size)) for size in sizes.slope)
    if few is None or many is None:
        return []
    urls = sizes.slope[1].urls - sizes.slope[0].urls
    wall = (many.median - few.median) / urls
    cpu = (many.cpu_seconds[0] - few.cpu_seconds[0]) / urls
    lines = [f"{engine}: {wall * 1e6:.2f} µs and {cpu * 1e6:.2f} µs of CPU time per URL, files of 50,000 included."]
    small, split = taken.get((engine, sizes.small)), taken.get((engine, sizes.small_files))
    if small and split and sizes.small.urls == sizes.small_files.urls:
        files = sizes.small_files.files - sizes.small.files
        each = (split.cpu_seconds[0] - small.cpu_seconds[0]) / files
        lines.append(f"{engine}: {milliseconds(max(each, 0.0))} of CPU time per additional file.")
    hours = cpu * CEILING_URLS / 3600
    lines.append(
        f"{engine}: {CEILING_URLS:,} URLs in {CEILING_FILES:,} files would take {hours:,.1f} hours of one core."
    )
    return lines


def _table(data: Path, urls: int) -> Path:
    """Return a Parquet file of entries."""
    import duckdb

    path = data / f"entries-{urls}.parquet"
    if not path.exists():
        begun = path.with_suffix(".part")
        loc = "'https://example.com/section-' || range % 97 || '/page-' || range AS loc"
        lastmod = "(DATE '2024-01-01' + (range % 600)::INTEGER)::VARCHAR AS lastmod"
        with duckdb.connect() as connection:
            connection.execute(f"COPY (SELECT {loc}, {lastmod} FROM range({urls:d})) TO '{begun}' (FORMAT parquet)")
        shutil.move(begun, path)
    return path
