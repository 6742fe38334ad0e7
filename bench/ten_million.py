"""Measure commands on 10,000,000 URLs in 200 files."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench import inputs
from bench.measure import PeerError, Samples, reason_of, run_whole
from bench.report import Row, Section, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

URLS, URLS_QUICK = 10_000_000, 200_000


class Goal(NamedTuple):
    """The floor of a command, in seconds and megabytes."""

    seconds: float | None
    megabytes: float


GOALS = {
    "diff": Goal(15, 600),
    "audit": Goal(None, 500),
    "report": Goal(8, 450),
    "sql": Goal(8, 500),
}


def measure_ten_million(data: Path, rounds: int, urls: int, urlset: Path, say: Callable[[str], None]) -> Section:
    """Measure whole processes."""
    folder = inputs.make_sized(data, urls)
    with tempfile.TemporaryDirectory(dir=data) as name:
        scratch = Path(name)
        changed = _with_one_change(folder, scratch / "changed")
        store = scratch / "store.duckdb"
        to_store = ("--no-pages", "--no-cache", "--store", str(store), "--format", "none", "--fail-on", "never")
        to_page = ("--report", str(scratch / "report.html"), "--format", "none")
        distinct = "SELECT count(DISTINCT loc) FROM urls"
        commands = {
            "validate": ("validate", "--format", "json", str(folder)),
            "diff": ("diff", "--format", "json", str(folder), str(changed)),
            "audit": ("audit", str(folder), *to_store),
            "report": ("validate", str(folder), *to_page),
            "sql": ("sql", distinct, str(folder)),
        }
        calls = {
            "validate": "`urlset validate --format json FOLDER`",
            "diff": "`urlset diff --format json FOLDER CHANGED`: 10,000,000 URLs on each side, one file differs",
            "audit": "`urlset audit FOLDER --no-pages --store FILE`: everything read goes to a new store",
            "report": "`urlset validate FOLDER --report FILE`: the HTML report",
            "sql": f"`urlset sql '{distinct}' FOLDER`",
        }
        rows = {each: Row(f"urlset {each}", calls[each], Samples(), compared=False) for each in commands}
        for number in range(rounds):
            say(f"  {urls:,} URLs: round {number + 1} of {rounds}")
            for each, row in rows.items():
                store.unlink(missing_ok=True)
                _run(row, [str(urlset), *commands[each]])
    return Section(
        f"{urls:,} URLs in {len(list(folder.iterdir()))} files, whole process",
        "Files of 50,000 entries with loc, lastmod, changefreq and priority, about 2.2 GB for 10,000,000 URLs.",
        list(rows.values()),
        entries=urls,
        memory=True,
        lines=[_verdict(row, GOALS[each]) for each, row in rows.items() if each in GOALS and urls == URLS],
    )


def _run(row: Row, command: list[str]) -> None:
    if row.samples is None:
        return
    try:
        run_whole(command, row.samples, good_exits=(0, 1))
    except (PeerError, OSError) as error:
        row.samples, row.note = None, reason_of(error)


def _verdict(row: Row, goal: Goal) -> str:
    if row.samples is None:
        return f"{row.name}: not measured."
    taken, peak = row.samples.median, max(row.samples.peak_bytes) / 1e6
    of_time = (
        "" if goal.seconds is None else f"floor {goal.seconds:g} s: {verdict(taken <= goal.seconds)} ({taken:.1f} s); "
    )
    return f"{row.name}: {of_time}floor {goal.megabytes:g} MB: {verdict(peak <= goal.megabytes)} ({peak:,.0f} MB)."


def _with_one_change(folder: Path, target: Path) -> Path:
    """Return a folder of links to the same files, except for the last one, in which all URLs are others."""
    target.mkdir()
    *same, last = sorted(folder.iterdir())
    for path in same:
        os.link(path, target / path.name)
    shutil.copy(last, target / last.name)
    changed = target / last.name
    changed.write_bytes(changed.read_bytes().replace(b"https://www.example.com/", b"https://www.example.com/new/"))
    return target
