"""`urlset audit` on pages that nginx serves, compared with link checkers on the same pages and with wrk."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bench import nginx, site
from bench.measure import PeerError, Samples, run_whole
from bench.report import Row, Section, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TOOLS = Path(__file__).parent / "tools" / "bin"
"""Where `make bench` installs the link checkers."""

PAGES, PAGES_QUICK = 20_000, 2_000
MANY_PAGES = 200_000
CORES = 2
AT_ONCE = 64
"""Concurrent requests of every program except lychee, which is faster with its default of 128."""
FLOOR, MEMORY_FLOOR_MB = 2_000, 250
FOLDER_FLOOR = 3_000
SHARE_WITH_LINKS = 0.8
"""Least speed of an audit with links, as a share of one without."""
WRK_SECONDS = 5


@dataclass(slots=True)
class Program:
    """A measured program.

    Attributes:
        row: Its row.
        command: Its command line.
        check: Returns what is wrong with its result; an empty string if nothing is.
        reads: Whether it reads the pages, as urlset does, rather than only their status codes.
        good_exits: Exit codes that mean success.
        server_seconds: CPU time of nginx, one number per round.
        requests: Number of requests in the last round.
    """

    row: Row
    command: list[str]
    check: Callable[[], str] = lambda: ""
    reads: bool = True
    good_exits: tuple[int, ...] = (0,)
    server_seconds: list[float] = field(default_factory=list)
    requests: int = 0


def measure_audit(
    folder: Path, rounds: int, pages: int, urlset: Path, versions: dict[str, str], say: Callable[[str], None]
) -> Section:
    """Measure whole processes that check every page of a site."""
    with tempfile.TemporaryDirectory() as name, _two_cores():
        programs = _programs(folder, Path(name), pages, urlset)
        section = _section(programs, pages)
        if _lacks_server(programs):
            return section
        place = site.make_site(folder, pages)
        site.write_lists(folder, place)
        with nginx.serving(place, site.PORT) as server:
            for number in range(rounds + 1):
                say(f"  round {number} of {rounds}" if number else "  warm-up")
                for program in programs:
                    _run(program, server, pages, keep=number > 0)
            ceiling = _ceiling(folder, place, Path(name))
    versions |= _versions()
    section.lines = [*_lines(programs, pages), *ceiling]
    return section


def measure_many(folder: Path, pages: int, urlset: Path) -> Section:
    """Measure one audit of a larger site, for its memory."""
    with tempfile.TemporaryDirectory() as name, _two_cores():
        program, *_ = _programs(folder, Path(name), pages, urlset)
        section = _section([program], pages)
        section.about += " Run once."
        if _lacks_server([program]):
            return section
        with nginx.serving(site.make_site(folder, pages), site.PORT) as server:
            _run(program, server, pages, keep=True)
    if program.row.samples is not None:
        peak = max(program.row.samples.peak_bytes) / 1e6
        met = verdict(peak <= MEMORY_FLOOR_MB)
        section.lines = [f"Peak memory: floor {MEMORY_FLOOR_MB} MB, as for fewer pages: {met} ({peak:,.0f} MB)."]
    return section


def measure_folder(
    folder: Path, rounds: int, pages: int, urlset: Path, versions: dict[str, str], say: Callable[[str], None]
) -> Section:
    """Measure whole processes that check a directory before it is published, without a server."""
    place = site.make_site(folder, pages)
    with tempfile.TemporaryDirectory() as name, _two_cores():
        store, report = Path(name) / "audit.duckdb", Path(name) / "lychee.json"
        flags = ["--base-url", site.ORIGIN, "--no-config", "--format", "json"]
        offline = ["--root-dir", str(place), "--no-progress", "--format", "json"]
        programs = [
            Program(
                Row(
                    "urlset audit DIRECTORY",
                    "`urlset audit DIRECTORY --format json`: the sitemaps, every page read, its links followed, all "
                    "default rules, everything stored",
                    Samples(),
                ),
                [str(urlset), "audit", str(place), *flags, "--store", str(store)],
                lambda: _audited(store, pages) or _linked(store, pages),
                good_exits=(0, 1),
            ),
            Program(
                Row(
                    "lychee --offline",
                    "`lychee --offline --root-dir DIRECTORY --format json DIRECTORY`: whether each link between pages "
                    "has a file",
                    Samples(),
                    note=_not_there("lychee"),
                ),
                [str(TOOLS / "lychee"), "--offline", *offline, "--output", str(report), str(place)],
                lambda: _linked_offline(report, pages),
                good_exits=(0, 2),
            ),
        ]
        for number in range(rounds + 1):
            say(f"  round {number} of {rounds}" if number else "  warm-up")
            for program in programs:
                _run(program, None, pages, keep=number > 0)
    versions |= _versions()
    about = "The same pages as files. Includes start-up and output, and for urlset the sitemaps, rules, and the store."
    section = Section(
        f"Auditing a directory of {pages:,} pages", about, [each.row for each in programs], pages, memory=True
    )
    if (samples := programs[0].row.samples) is not None:
        speed, peak = pages / samples.median, max(samples.peak_bytes) / 1e6
        section.lines = [
            f"Floor {FOLDER_FLOOR:,} pages/s: {verdict(speed >= FOLDER_FLOOR)} ({speed:,.0f}). "
            f"Peak memory: floor {MEMORY_FLOOR_MB} MB: {verdict(peak <= MEMORY_FLOOR_MB)} ({peak:,.0f} MB)."
        ]
    return section


def _lacks_server(programs: list[Program]) -> bool:
    """Return whether nginx is missing; the row of each program then says why."""
    why = nginx.missing()
    if why:
        for program in programs:
            program.row.samples, program.row.note = None, why
    return bool(why)


def _programs(folder: Path, scratch: Path, pages: int, urlset: Path) -> list[Program]:
    """Return every program that checks the pages: urlset, urlset with links, then the others."""
    store, report = scratch / "audit.duckdb", scratch / "lychee.json"
    audit = [str(urlset), "audit", site.ORIGIN, "--concurrency", str(AT_ONCE), "--store", str(store)]
    audit += ["--no-cache", "--no-config", "--format", "json"]
    lychee = [str(TOOLS / "lychee"), "--no-progress", "--format", "json", "--output", str(report)]
    lychee += ["--max-concurrency", "128", "--host-concurrency", "128", "--host-request-interval", "0ms"]
    muffet = [str(TOOLS / "muffet"), "--one-page-only", "--timeout", "30"]
    muffet += ["--max-connections", str(AT_ONCE), "--max-connections-per-host", str(AT_ONCE)]
    plain, anchored = site.lists_of(folder, pages)
    return [
        Program(
            Row(
                "urlset audit",
                f"`urlset audit ORIGIN --concurrency {AT_ONCE} --no-cache --format json`: robots.txt, the common "
                "locations, the sitemaps, every page read, all default rules, everything stored",
                Samples(),
            ),
            audit,
            lambda: _audited(store, pages),
            good_exits=(0, 1),
        ),
        Program(
            Row(
                "urlset audit --links",
                "the same with `--links`: the links of each page are stored, and compared with the sitemaps at the end",
                Samples(),
                compared=False,
            ),
            [*audit, "--links"],
            lambda: _audited(store, pages) or _linked(store, pages),
            good_exits=(0, 1),
        ),
        Program(
            Row(
                "lychee, pages read",
                "`lychee --include-fragments --max-concurrency 128 --host-concurrency 128 --host-request-interval 0ms "
                "LIST`, where every URL of the list has the fragment of the page's `<main>`, so that each page must be "
                "read and searched for it",
                Samples(),
                note=_not_there("lychee"),
            ),
            [*lychee, "--include-fragments", anchored],
            lambda: _checked(report, pages),
        ),
        Program(
            Row(
                "lychee, status codes only",
                "the same without `--include-fragments`, with the URLs alone: pages are requested with GET, and not "
                "read",
                Samples(),
                note=_not_there("lychee"),
            ),
            [*lychee, plain],
            lambda: _checked(report, pages),
            reads=False,
        ),
        Program(
            Row(
                "muffet",
                f"`muffet --one-page-only --max-connections {AT_ONCE} --max-connections-per-host {AT_ONCE} PAGE`, "
                "where the page links to every URL of the list: each is fetched and searched for links",
                Samples(),
                note=_not_there("muffet"),
            ),
            [*muffet, f"{site.ORIGIN}/{site.LINKS}"],
        ),
    ]


def _not_there(tool: str) -> str:
    if (TOOLS / tool).is_file():
        return ""
    return f"it is not in {TOOLS.relative_to(Path(__file__).parents[1])}, where `make bench` installs it if possible"


def _run(program: Program, server: nginx.Server | None, pages: int, *, keep: bool) -> None:
    """Run a program once; one that fails, or did not request every page, gets a note instead of numbers."""
    row = program.row
    if row.note:
        row.samples = None
    if row.samples is None:
        return
    for argument, following in zip(program.command, program.command[1:], strict=False):
        if argument in ("--store", "--output"):
            Path(following).unlink(missing_ok=True)
    busy, asked = (0.0, 0) if server is None else (server.cpu_seconds(), server.requests())
    try:
        run_whole(program.command, row.samples if keep else None, good_exits=program.good_exits)
    except (PeerError, OSError) as error:
        row.samples, row.note = None, f"{error.strerror}" if isinstance(error, OSError) else str(error)
        return
    wrong = program.check()
    if server is not None:
        program.requests = server.requests() - asked
        if keep:
            program.server_seconds.append(server.cpu_seconds() - busy)
        if program.requests < pages:
            wrong = wrong or f"it requested only {program.requests:,} pages"
    if wrong:
        row.samples, row.note = None, wrong


def _audited(store: Path, pages: int) -> str:
    from urlset.store.file import Store

    with Store.read(store) as kept:
        statement = "SELECT count(*) FILTER (status = 200 AND words > 0 AND canonical_is_self) FROM pages"
        [(good,)] = kept.connection.execute(statement).fetchall()
    return "" if good == pages else f"it read {good:,} of {pages:,} pages"


def _linked(store: Path, pages: int) -> str:
    from urlset.store.file import Store

    with Store.read(store) as kept:
        [(sources, links)] = kept.connection.execute("SELECT count(DISTINCT from_hash), count(*) FROM links").fetchall()
    return "" if sources >= pages and links >= 30 * pages else f"it stored {links:,} links of {sources:,} pages"


def _checked(report: Path, pages: int) -> str:
    good = _number(report, "successful")
    return "" if good == pages else f"it found {good:,} of {pages:,} pages good"


def _linked_offline(report: Path, pages: int) -> str:
    checked = _number(report, "total")
    return "" if checked >= pages else f"it checked only {checked:,} links"


def _number(report: Path, key: str) -> int:
    """Return a number of lychee's report, which starts with them.

    A report of all links has hundreds of megabytes, and the memory of a program counts from that of this process.
    """
    with report.open(encoding="utf-8") as file:
        found = re.search(rf'"{key}": (\d+)', file.read(4096))
    return int(found[1]) if found else 0


def _section(programs: list[Program], pages: int) -> Section:
    return Section(
        title=f"Auditing {pages:,} listed pages, whole process",
        about=(
            "Pages of 10 to 30 kB on loopback, served by nginx on the same two cores. Each program requests every page "
            "once. Includes start-up and output, and for urlset the sitemaps, the rules, and the store."
        ),
        rows=[program.row for program in programs],
        entries=pages,
        memory=True,
    )


def _lines(programs: list[Program], pages: int) -> list[str]:
    ours, linked, *peers = programs
    if ours.row.samples is None:
        return []
    speed = pages / ours.row.samples.median
    peak = max(ours.row.samples.peak_bytes) / 1e6
    lines = [
        f"Floor {FLOOR:,} pages/s: {verdict(speed >= FLOOR)} ({speed:,.0f}). "
        f"Peak memory: floor {MEMORY_FLOOR_MB} MB: {verdict(peak <= MEMORY_FLOOR_MB)} ({peak:,.0f} MB)."
    ]
    if linked.row.samples is not None:
        share = ours.row.samples.median / linked.row.samples.median
        of_cpu = statistics.median(ours.row.samples.cpu_seconds) / statistics.median(linked.row.samples.cpu_seconds)
        lines.append(
            f"Speed with links compared with the speed without: {share:.2f}; by CPU time, {of_cpu:.2f}. "
            f"Floor {SHARE_WITH_LINKS:g} for both: {verdict(min(share, of_cpu) >= SHARE_WITH_LINKS)}."
        )
    for peer in peers:
        if peer.row.samples is not None:
            share = speed * peer.row.samples.median / pages
            more = "." if peer.reads else ", for more work."
            lines.append(f"Speed compared with {peer.row.name}: {share:.2f}{more}")
    shares = [
        f"{program.row.name} {sum(program.server_seconds) / len(program.server_seconds):.2f} s "
        f"({program.requests:,} requests)"
        for program in programs
        if program.row.samples is not None
    ]
    return [*lines, f"Mean CPU time of nginx per run: {', '.join(shares)}."]


def _ceiling(folder: Path, place: Path, scratch: Path) -> list[str]:
    """Measure the maximum of nginx: wrk requests the same pages in turn and discards them."""
    wrk = shutil.which("wrk")
    if wrk is None:
        return ["The upper limit was not measured: wrk is not installed (Debian: `apt-get install wrk`)."]
    plain, _ = site.lists_of(folder, int(place.name.split("-")[1]))
    script = scratch / "pages.lua"
    script.write_text(
        f"paths = {{}}\nfor line in io.lines('{plain}') do\n"
        f"  paths[#paths + 1] = string.sub(line, {len(site.ORIGIN) + 1})\nend\nat = 0\n"
        "function request()\n  at = at % #paths + 1\n  return wrk.format('GET', paths[at])\nend\n"
    )
    command = [wrk, "-t", "1", "-c", str(AT_ONCE), "-d", f"{WRK_SECONDS}s", "-s", str(script), site.ORIGIN]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"Requests/sec:\s*([0-9.]+)", done.stdout)
    if done.returncode or found is None or "Non-2xx" in done.stdout:
        return ["The upper limit was not measured: wrk failed."]
    return [f"Upper limit: wrk fetches {float(found[1]):,.0f} of the same pages per second from the same server."]


def _versions() -> dict[str, str]:
    """Return the versions of the installed programs."""
    programs = {"lychee": TOOLS / "lychee", "muffet": TOOLS / "muffet", "nginx": Path(nginx.program() or "")}
    commands = {name: [str(path), "-v" if name == "nginx" else "--version"] for name, path in programs.items()}
    found = {}
    for name, command in commands.items():
        if Path(command[0]).is_file():
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            number = re.search(r"[0-9]+(?:\.[0-9]+)+", done.stdout + done.stderr)
            found[name] = number[0] if number else "unknown"
    return found


@contextlib.contextmanager
def _two_cores() -> Iterator[None]:
    """Restrict all processes, including the server, to the same two cores."""
    if sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:CORES])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
