"""Scaling: the CPU time per URL of each command, from 10,000 to 10,000,000 URLs."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from bench import inputs
from bench.build import SITE, make_csv
from bench.measure import PeerError, Samples, reason_of, run_whole
from bench.report import Row, Section, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SIZES, SIZES_QUICK = (10_000, 100_000, 1_000_000, 10_000_000), (1_000, 10_000, 100_000)
ROUNDS, MIN_ROUNDS = 7, 2
"""Rounds of the smallest number of URLs, and of the largest, which takes long enough to be exact."""
GROWTH_FLOOR = 1.1
"""How much more CPU time each further URL may take with ten times as many URLs."""


@dataclass(frozen=True, slots=True)
class _Command:
    """A command, for a number of URLs.

    Attributes:
        name: What it does.
        calls: The command, for the report.
        arguments: Returns its arguments for the directory of documents, a changed copy, a CSV file, and an output
            directory.
        good_exits: Exit codes that mean success.
    """

    name: str
    calls: str
    arguments: Callable[[Path, Path, Path, Path], list[str]]
    good_exits: tuple[int, ...] = (0, 1)


_COMMANDS = (
    _Command("read", "`urlset inspect FOLDER`", lambda folder, *_: ["inspect", str(folder)]),
    _Command("validate", "`urlset validate FOLDER`", lambda folder, *_: ["validate", str(folder)]),
    _Command("fix", "`urlset fix --dry-run FOLDER`", lambda folder, *_: ["fix", "--dry-run", str(folder)]),
    _Command(
        "build",
        "`urlset build FILE.csv`",
        lambda _folder, _changed, csv, out: ["build", str(csv), "--base-url", SITE, "-o", str(out)],
    ),
    _Command(
        "audit",
        "`urlset audit FOLDER --no-pages`",
        lambda folder, _changed, _csv, out: ["audit", str(folder), "--no-pages", "--store", str(out / "store.duckdb")],
    ),
    _Command(
        "diff",
        "`urlset diff FOLDER OTHER`, where one file of 10,000 or 50,000 URLs differs",
        lambda folder, changed, *_: ["diff", str(folder), str(changed)],
    ),
    _Command(
        "report",
        "`urlset validate FOLDER --report FILE.html`",
        lambda folder, _changed, _csv, out: ["validate", str(folder), "--report", str(out / "report.html")],
    ),
)


def measure_scaling(data: Path, urlset: Path, sizes: tuple[int, ...], say: Callable[[str], None]) -> Section:
    """Measure every command for each number of URLs, as a whole process."""
    rows = []
    measured: dict[str, dict[int, float]] = {command.name: {} for command in _COMMANDS}
    for place, size in enumerate(sizes):
        rounds = max(ROUNDS - 2 * place, MIN_ROUNDS)
        folder, csv = inputs.make_sized(data, size), make_csv(data, size)
        _read_once([csv, *folder.iterdir()])
        with tempfile.TemporaryDirectory() as scratch:
            changed = _changed_copy(folder, Path(scratch) / "changed")
            for command in _COMMANDS:
                say(f"  {command.name}: {size:,} URLs")
                out = Path(scratch) / "out"
                samples = Samples()
                row = Row(f"{command.name}, {size:,} URLs", "", samples, compared=False)
                arguments = [*command.arguments(folder, changed, csv, out), "--no-config"]
                try:
                    for _ in range(rounds):
                        shutil.rmtree(out, ignore_errors=True)
                        out.mkdir()
                        run_whole([str(urlset), *arguments], samples, good_exits=command.good_exits)
                except (PeerError, OSError) as error:
                    row.samples, row.note = None, reason_of(error)
                else:
                    # Whatever else runs on the machine can only add to it.
                    measured[command.name][size] = min(samples.cpu_seconds)
                rows.append(row)
    rows.sort(key=lambda row: [command.name for command in _COMMANDS].index(row.name.split(",")[0]))
    return Section(
        f"Scaling: {sizes[0]:,} to {sizes[-1]:,} URLs, whole processes",
        "Start-up included; all files are in the page cache. The slopes below are of the least CPU times. "
        + "; ".join(f"{command.name}: {command.calls}" for command in _COMMANDS)
        + ".",
        rows,
        memory=True,
        lines=list(_slopes(measured)),
    )


def _slopes(measured: dict[str, dict[int, float]]) -> Iterator[str]:
    """Yield a line for each command: the CPU time of each further URL, which leaves out start-up, and its growth."""
    for name, totals in measured.items():
        steps = list(pairwise(totals.items()))
        costs = [(more - less) / (many - few) for (few, less), (many, more) in steps]
        if not costs:
            continue
        numbers = ", ".join(
            f"{cost * 1e6:.2f} µs from {few:,} to {many:,}"
            for cost, ((few, _), (many, _)) in zip(costs, steps, strict=True)
        )
        line = f"- {name}: CPU time of each further URL {numbers}."
        if min(costs) <= 0:
            line += " The machine was not quiet, so there is no growth."
        elif len(costs) > 1:
            growth = max(after / before for before, after in pairwise(costs))
            line += f" Largest growth: {growth:.2f} times. Floor {GROWTH_FLOOR:g}: {verdict(growth <= GROWTH_FLOOR)}."
        yield line


def _read_once(paths: Iterable[Path]) -> None:
    """Read files, so that the first command does not wait for the disk."""
    for path in paths:
        with path.open("rb") as file:
            while file.read(1 << 20):
                pass


def _changed_copy(folder: Path, target: Path) -> Path:
    """Return a directory with the same files, except for the first, which lacks its first entry."""
    target.mkdir()
    for number, path in enumerate(sorted(folder.iterdir())):
        if number:
            (target / path.name).symlink_to(path.resolve())
            continue
        before, entry, after = path.read_text(encoding="utf-8").partition("</url>\n")
        start = before.index("<url>")
        assert entry
        (target / path.name).write_text(before[:start] + after, encoding="utf-8")
    return target
