"""Read access logs: requests of crawlers by URL, from a log of people and crawlers in the combined format."""

from __future__ import annotations

import gzip
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import PeerError, Samples, reason_of, run_whole
from bench.report import Row, Section, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PEERS = Path(__file__).parent / "peers"
LINES, LINES_QUICK = 5_000_000, 500_000
FLOOR_PER_SECOND, MEMORY_FLOOR_MB, GROWTH_FLOOR = 500_000, 300, 1.2
BLOCK = 1_000_000
"""Lines that are made one by one; a larger log repeats them on other days and in other folders."""
TIMES_FEWER = 5
"""How many times fewer lines the smaller log has, which shows whether time and memory grow with the lines."""

_VERSION = 2
_BROWSERS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
    "Mobile/15E148 Safari/604.1",
)
_CRAWLERS = (
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) "
    "Chrome/131.0.0.0 Safari/537.36",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
)
_AGENTS = (*_BROWSERS * 4, *_CRAWLERS)
_STATUSES = (200, 200, 200, 200, 301, 404, 500)


def make_log(folder: Path, lines: int) -> Path:
    """Return a log with a month of requests, three of eleven from crawlers, for a fifth as many URLs as lines."""
    path = folder / f"access-{lines}-v{_VERSION}.log"
    if not path.exists():
        with path.open("wb") as file:
            file.writelines(blocks(lines))
    return path


def make_gzip(log: Path) -> Path:
    """Return a log, compressed."""
    path = log.with_name(f"{log.name}.gz")
    if not path.exists():
        with log.open("rb") as file, gzip.open(path, "wb", compresslevel=6) as packed:
            shutil.copyfileobj(file, packed, BLOCK)
    return path


def blocks(lines: int) -> Iterator[bytes]:
    """Yield such a log block by block: the same requests on later days, in other folders."""
    rng = random.Random(1)
    size = min(lines, BLOCK)
    block = "".join(_line(rng, number, size // 5) for number in range(size)).encode()
    count = lines // size
    for number in range(count):
        day, folder = b"[%02d/" % (1 + number * 28 // count), b"/f%04d/" % number
        yield block.replace(b"[01/", day).replace(b"/f0000/", folder)


def _line(rng: random.Random, number: int, urls: int) -> str:
    second, page, client = number % 86_400, rng.randrange(urls), rng.getrandbits(31)
    address = f"{1 + client % 223}.{client >> 8 & 255}.{client >> 16 & 255}.{client >> 24 & 127}"
    return (
        f"{address} - - [01/Nov/2026:{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02} +0000] "
        f'"GET /f0000/s{page % 97}/page-{page}.html HTTP/1.1" {rng.choice(_STATUSES)} {rng.randrange(90_000)} '
        f'"https://www.example.com/" "{rng.choice(_AGENTS)}"\n'
    )


def measure_logs(folder: Path, rounds: int, lines: int, urlset: Path, say: Callable[[str], None]) -> Section:
    """Measure whole processes that read a log, each with an empty store, in turns."""
    for number in (lines, lines // TIMES_FEWER):
        # In a process of its own: the memory of a process counts as the peak of those that it starts.
        subprocess.run([sys.executable, "-m", "bench.logs", str(folder), str(number)], check=True)
    many, few = make_log(folder, lines), make_log(folder, lines // TIMES_FEWER)
    packed = make_gzip(many)
    with tempfile.TemporaryDirectory() as scratch:
        store, page = Path(scratch, "logs.duckdb"), Path(scratch, "goaccess.json")
        ours = [str(urlset), "logs", "--site", "https://example.com", "--store", str(store)]
        query = [sys.executable, str(PEERS / "duckdb_logs.py")]
        goaccess = ["goaccess", "--log-format=COMBINED", "--no-progress", "-o", str(page)]
        rows = [
            (Row("urlset logs", "`urlset logs FILE --site URL`", Samples()), [*ours, str(many)]),
            (Row("urlset logs, gzip", "the same", Samples(), compared=False), [*ours, str(packed)]),
            (
                Row(
                    "DuckDB, plain query",
                    "`read_csv`, three crawlers by `ILIKE`, grouped by URL; keeps the file's addresses in memory",
                    Samples(),
                ),
                [*query, str(many)],
            ),
            (
                Row("GoAccess", "`goaccess FILE --log-format=COMBINED -o FILE.json`", Samples(), compared=False),
                [*goaccess, str(many)],
            ),
            (
                Row(
                    f"urlset logs, {lines // TIMES_FEWER:,} lines",
                    "the same",
                    Samples(),
                    compared=False,
                    entries=lines // TIMES_FEWER,
                ),
                [*ours, str(few)],
            ),
        ]
        for number in range(rounds):
            say(f"  round {number + 1} of {rounds}")
            for row, command in rows:
                if row.samples is None:
                    continue
                store.unlink(missing_ok=True)
                if shutil.which(command[0]) is None:
                    row.samples, row.note = None, "not installed (Debian: `apt-get install goaccess`)"
                    continue
                try:
                    run_whole(command, row.samples)
                except (PeerError, OSError) as error:
                    row.samples, row.note = None, reason_of(error)
    section = Section(
        title=f"Access logs: {lines:,} lines in the combined format",
        about="Three of eleven requests are of crawlers, for a fifth as many URLs as lines. Whole process, with an "
        "empty store. GoAccess makes a report of all visitors, which is other work.",
        rows=[row for row, _ in rows],
        entries=lines,
        memory=True,
    )
    large, compressed, small = rows[0][0].samples, rows[1][0].samples, rows[-1][0].samples
    if large and compressed and small:
        speed, packed_speed = lines / large.median, lines / compressed.median
        peak, before = max(large.peak_bytes) / 1e6, max(small.peak_bytes) / 1e6
        growth = large.median / small.median / TIMES_FEWER
        section.lines = [
            f"{speed:,.0f} lines/s. Floor {FLOOR_PER_SECOND:,}: {verdict(speed >= FLOOR_PER_SECOND)}.",
            f"{packed_speed:,.0f} lines/s of a log that is compressed with gzip. Floor {FLOOR_PER_SECOND:,}: "
            f"{verdict(packed_speed >= FLOOR_PER_SECOND)}.",
            f"Peak memory: {peak:,.0f} MB, and {before:,.0f} MB with {lines // TIMES_FEWER:,} lines. Floor "
            f"{MEMORY_FLOOR_MB} MB: {verdict(peak <= MEMORY_FLOOR_MB)}.",
            f"{TIMES_FEWER} times the lines take {large.median / small.median:.1f} times as long: {growth:.2f} times "
            f"linear. Floor {GROWTH_FLOOR:g}: {verdict(growth <= GROWTH_FLOOR)}.",
        ]
    return section


if __name__ == "__main__":
    make_log(Path(sys.argv[1]), int(sys.argv[2]))
