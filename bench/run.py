"""Run the benchmark: urlset and its peers on the same inputs, in one run, with medians, ratios, and floors.

Usage: python -m bench.run [--quick] [--rounds N] [--files N] [--only PART…]
`make bench` installs what it needs and runs it. The goals of the design are shown, but not enforced.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench import auditing, expanding, inputs, machine, results
from bench.build import measure_csv, measure_pages
from bench.logs import LINES, LINES_QUICK, measure_logs
from bench.measure import PeerError, Reader, Samples, reason_of, run_whole
from bench.on_spark import FULL, QUICK, measure_building, measure_validating
from bench.reading import PEER_PYTHON, PEERS, measure_reading, why_not_sitemapjs
from bench.report import Row, Section, measured_with, milliseconds, render, verdict
from bench.robots import measure_robots
from bench.scaling import SIZES, SIZES_QUICK, measure_scaling
from bench.seeing import measure_seeing
from bench.stores import measure_store
from bench.ten_million import URLS, URLS_QUICK, measure_ten_million

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HERE = Path(__file__).parent
DATA = HERE / "data"
RESULTS = HERE / "RESULTS.md"
URLSET = Path(sys.executable).with_name("urlset")

LINT_FLOOR, LINT_MEMORY_FLOOR_MB = 6, 250
LARGE_FLOOR_SECONDS, LARGE_MEMORY_FLOOR_MB = 20, 400
THREADS_TIMES = 3
"""Multiple of the files for validation, so that start-up, which uses one core, counts for less."""
FEW_FILES, MANY_FILES = 20, 200
GROWTH_FLOOR = 1.2
"""How much more time per entry ten times as many files may take: a little more, because data is spilled to disk."""
START_FLOOR_MS, START_AIM_MS = 250, 120
WRITTEN, WRITTEN_FOR_MEMORY = 1_000_000, 10_000_000
WRITE_MEMORY_FLOOR_MB = 150


def _schema() -> Path | None:
    """Return the official schema, which urlset does not ship: `sitemap.xsd` in the folder that URLSET_XSD names."""
    folder = os.environ.get("URLSET_XSD")
    path = Path(folder) / "sitemap.xsd" if folder else None
    return path if path and path.is_file() else None


Command = tuple[Row, list[str], tuple[int, ...]]
"""A row, the command that fills it, and the exit codes that mean success."""


def _lint_commands(paths: list[str]) -> list[Command]:
    """Return every program that validates files, urlset first."""
    validate = [str(URLSET), "validate", "--format", "json"]
    ours = Row("urlset validate", "`urlset validate --format json FILE…`, all default rules", Samples())
    commands: list[Command] = [(ours, [*validate, *paths], (0, 1))]
    schema = _schema()
    if schema and shutil.which("xmllint"):
        row = Row("xmllint --schema", "`xmllint --noout --schema sitemap.xsd FILE…`", Samples(), floor=LINT_FLOOR)
        commands.append((row, ["xmllint", "--noout", "--schema", str(schema), *paths], (0,)))
    if schema:
        row = Row(
            "libxml2 with the schema, by lxml",
            "`etree.parse` and `XMLSchema.validate` on each file, as `xmllint --noout --schema` does",
            Samples(),
            floor=LINT_FLOOR,
        )
    else:
        row = Row(
            "libxml2 without a schema, by lxml",
            "only `etree.parse` on each file, because URLSET_XSD names no directory with sitemap.xsd",
            Samples(),
        )
    script = [str(PEER_PYTHON), str(PEERS / "lxml_schema.py")]
    commands.append((row, [*script, str(schema) if schema else "-", *paths], (0,)))
    if len(paths) > 1:
        about = "the same on the first file only, for its memory"
        row = Row("urlset validate, one file", about, Samples(), compared=False)
        commands.append((row, [*validate, paths[0]], (0, 1)))
    return commands


def measure_linting(files: list[inputs.Input], rounds: int) -> Section:
    """Measure whole processes that validate all files: wall time, CPU time, and peak memory."""
    commands = _lint_commands([str(source.path) for source in files])
    _run_in_turns(commands, rounds)
    section = Section(
        title=f"Validating {len(files)} files of 50,000 entries each, whole process",
        about=(
            f"{sum(source.megabytes for source in files):.0f} MB in total; includes start-up, imports, and output. "
            f"urlset can use all cores ({machine.usable_cores()} here), libxml2 uses one: compare the CPU column, too."
        ),
        rows=[row for row, _, _ in commands],
        memory=True,
    )
    ours = section.rows[0].samples
    if ours:
        peak = max(ours.peak_bytes) / 1e6
        section.lines = [
            f"Peak memory of urlset: {peak:,.0f} MB. "
            f"Floor {LINT_MEMORY_FLOOR_MB} MB: {verdict(peak <= LINT_MEMORY_FLOOR_MB)}."
        ]
    return section


def _writers(kind: str) -> list[tuple[Row, list[str]]]:
    """Return every writer to compare, urlset first: its row, and its command without the number of entries."""
    ours = [sys.executable, str(PEERS / "urlset_write.py"), str(WRITTEN), kind]
    python = str(PEER_PYTHON)
    about = "a generator of dicts" if kind == "generator" else "an existing pyarrow table (strings, date32)"
    writers = [
        (Row("urlset", f"`urlset.write` of {about}, plain files", None), [*ours, "none"]),
        (Row("urlset, gzip", 'the same with `gzip="parts"`, level 6', None, compared=False), [*ours, "parts"]),
        (
            Row(
                "sitemap.js",
                "`SitemapAndIndexStream` over a JavaScript generator, plain files of 50,000; timed inside Node.js",
                None,
                note=why_not_sitemapjs(),
                floor=10 if kind == "generator" else 30,
            ),
            ["node", str(PEERS / "sitemapjs" / "write.js"), str(WRITTEN)],
        ),
    ]
    if kind == "generator":
        row = Row(
            "py-xml-sitemap-writer",
            "`XMLSitemap.add_url` for each dict of the same generator; it always compresses, at level 9",
            None,
            floor=4,
        )
        writers.append((row, [python, str(PEERS / "xml_sitemap_writer_write.py"), str(WRITTEN)]))
    return writers


def measure_writing(kind: str, rounds: int, versions: dict[str, str]) -> Section:
    """Measure writing entries to the files of a set, in warm processes: one set of each per round, in turns."""
    table = []
    with contextlib.ExitStack() as stack:
        running: list[tuple[Row, Reader]] = []
        for row, command in _writers(kind):
            table.append(row)
            if row.note:
                continue
            try:
                writer = stack.enter_context(Reader(command, WRITTEN))
            except (PeerError, OSError) as error:
                row.note = reason_of(error)
                continue
            versions |= writer.versions
            row.samples = writer.samples
            running.append((row, writer))
        for number in range(rounds):
            _say(f"  {kind}: round {number + 1} of {rounds}")
            for _, writer in running:
                writer.read(keep=True)
    source = "a generator" if kind == "generator" else "an Arrow table"
    section = Section(
        title=f"Writing: {WRITTEN:,} entries with loc and lastmod from {source}",
        about="From entries to closed files and their index; urlset also flushes them to disk. One warm process each. "
        "The values exist before; the objects that hold them are created one by one during the measurement.",
        rows=table,
        entries=WRITTEN,
    )
    compressed, peer = table[1].samples, table[-1].samples
    if kind == "generator" and compressed and peer:
        section.lines = [
            f"With compression on both sides, py-xml-sitemap-writer takes {peer.median / compressed.median:.1f} "
            "times as long as urlset."
        ]
    return section


def measure_writing_memory() -> Section:
    """Measure the peak memory of a whole process that writes many entries from a generator."""
    ours = Row("urlset", "`urlset.write` of a generator of dicts, plain files; every URL is remembered", Samples())
    script = [sys.executable, str(PEERS / "urlset_write.py"), str(WRITTEN_FOR_MEMORY), "generator", "none", "once"]
    samples = Samples()
    try:
        run_whole(script, samples)
        ours.samples = samples
    except (PeerError, OSError) as error:
        ours.samples, ours.note = None, reason_of(error)
    section = Section(
        f"Writing: {WRITTEN_FOR_MEMORY:,} entries from a generator, whole process",
        "Run once, for its memory.",
        [ours],
        entries=WRITTEN_FOR_MEMORY,
        memory=True,
    )
    if ours.samples:
        peak = ours.samples.peak_bytes[0] / 1e6
        section.lines = [
            f"Floor {WRITE_MEMORY_FLOOR_MB} MB: {verdict(peak <= WRITE_MEMORY_FLOOR_MB)} ({peak:,.0f} MB)."
        ]
    return section


def measure_large(few: int, many: int, rounds: int) -> Section:
    """Measure whole processes that validate folders with language versions and duplicates across files."""
    validate = [str(URLSET), "validate", "--format", "json"]
    rows = []
    for files in (few, many):
        row = Row(
            f"urlset validate, {files} files", f"`urlset validate --format json FOLDER` of {files} files", Samples()
        )
        row.compared = False
        rows.append((row, [*validate, str(inputs.make_versions(DATA, files))], (0, 1)))
    _run_in_turns(rows, rounds)
    section = Section(
        title=f"Validating {many} files ({many * inputs.ENTRIES:,} URLs) with hreflang and duplicates across them",
        about=(
            "Each page is in three languages, each language in a separate file, with three links per entry to "
            "other files. Whole process, all default rules."
        ),
        rows=[row for row, _, _ in rows],
        memory=True,
    )
    small, large = (row.samples for row in section.rows)
    if small and large:
        peak = max(large.peak_bytes) / 1e6
        growth = large.median / small.median / (many / few)
        section.lines = [
            f"{many} files: {large.median:.1f} s. "
            f"Floor {LARGE_FLOOR_SECONDS} s: {verdict(large.median <= LARGE_FLOOR_SECONDS)}.",
            f"Peak memory with {many} files: {peak:,.0f} MB. Floor {LARGE_MEMORY_FLOOR_MB} MB: "
            f"{verdict(peak <= LARGE_MEMORY_FLOOR_MB)}.",
            f"{many / few:g} times the files take {large.median / small.median:.1f} times as long: {growth:.2f} "
            f"times linear. Floor {GROWTH_FLOOR:g}: {verdict(growth <= GROWTH_FLOOR)}.",
        ]
    return section


def measure_threads(files: list[inputs.Input], rounds: int) -> Section:
    """Measure validation of the same files on one core and on two."""
    command = [str(URLSET), "validate", "--format", "json", *(str(source.path) for source in files)]
    rows = [
        Row("two cores", "`taskset -c 0,1 urlset validate --format json FILE…`", Samples(), compared=False),
        Row("one core", "the same with `taskset -c 0`", Samples(), compared=False),
    ]
    if shutil.which("taskset") and machine.usable_cores() > 1:
        pinned = zip(rows, ("0,1", "0"), strict=True)
        _run_in_turns([(row, ["taskset", "-c", cores, *command], (0, 1)) for row, cores in pinned], rounds)
    else:
        for row in rows:
            row.samples, row.note = None, "it takes `taskset` and two cores"
    section = Section(
        f"Validating {len(files)} files on one core and on two", "Whole process, start-up included.", rows
    )
    two, one = (row.samples for row in rows)
    if two and one:
        ratio = one.median / two.median
        section.lines = [f"Two cores are {ratio:.2f} times as fast as one."]
    return section


def measure_expanding(rounds: int, children: int) -> Section:
    """Measure whole processes that follow an index to all its children: wall time, CPU time, and peak memory."""
    with expanding.serving(expanding.make_site(DATA, children)) as origin:
        commands = expanding.commands(origin, children, str(URLSET), str(PEER_PYTHON))
        _run_in_turns(commands, rounds)
    return expanding.section([row for row, _, _ in commands], children)


def measure_slow(children: int) -> Section:
    """Measure the same once, with a delay before each response."""
    with expanding.serving(expanding.make_site(DATA, children), expanding.DELAY_MS) as origin:
        commands = expanding.commands(origin, children, str(URLSET), str(PEER_PYTHON))
        for row, _, _ in commands:
            row.floor = None
        _run_in_turns(commands, 1)
    return expanding.slow_section([row for row, _, _ in commands], children)


def measure_small(rounds: int) -> Section:
    """Measure whole processes that validate a file of one entry: nearly all of it is start-up."""
    path = str(inputs.make_small(DATA).path)
    rows = [
        Row("urlset validate", "`urlset validate FILE`", Samples()),
        Row("urlset inspect", "`urlset inspect FILE`: the same without the rules", Samples(), compared=False),
    ]
    commands = [[str(URLSET), "validate", path], [str(URLSET), "inspect", path]]
    _run_in_turns([(row, command, (0, 1)) for row, command in zip(rows, commands, strict=True)], rounds)
    section = Section("Validating one file of one entry, whole process", "The time before any work.", rows, memory=True)
    section.lines = _start_verdict(rows[0].samples)
    return section


def measure_help(rounds: int) -> Section:
    """Measure whole processes that print their help, compared with a Python that does nothing."""
    ours = Row("urlset --help", "`urlset --help`", Samples())
    bare = Row("python -c pass", "the interpreter alone, the minimum for any Python program", Samples(), compared=False)
    _run_in_turns([(ours, [str(URLSET), "--help"], (0,)), (bare, [sys.executable, "-c", "pass"], (0,))], rounds)
    section = Section("Start: urlset --help, whole process", "The time before anything happens.", [ours, bare])
    section.lines = _start_verdict(ours.samples)
    return section


def _start_verdict(samples: Samples | None) -> list[str]:
    """Return the line that compares the time of a start with the goals, if it was measured."""
    if not samples:
        return []
    taken = samples.median * 1000
    return [
        f"Floor {START_FLOOR_MS} ms: {verdict(taken <= START_FLOOR_MS)}; aim {START_AIM_MS} ms: "
        f"{verdict(taken <= START_AIM_MS)} ({milliseconds(taken / 1000)})."
    ]


def _run_in_turns(commands: Sequence[Command], rounds: int) -> None:
    """Run each command once unmeasured, then once per round, in turns; one that fails gets a note, not numbers."""
    for number in range(rounds + 1):
        _say(f"  round {number} of {rounds}" if number else "  warm-up")
        for row, command, good_exits in commands:
            if row.samples is None:
                continue
            try:
                run_whole(command, row.samples if number else None, good_exits=good_exits)
            except (PeerError, OSError) as error:
                row.samples, row.note = None, reason_of(error)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Plan(NamedTuple):
    """What to measure with.

    Attributes:
        rounds: Rounds per program that takes milliseconds; slower ones run fewer.
        files: Files to validate.
        quick: Take small inputs, only to see that everything runs.
        versions: The versions of the peers, filled in while measuring.
    """

    rounds: int
    files: int
    quick: bool
    versions: dict[str, str]

    @property
    def few_rounds(self) -> int:
        """Rounds of programs that take seconds."""
        return max(self.rounds // 2, 1)


def _reading(plan: Plan) -> list[Section]:
    kinds = (inputs.make_plain, inputs.make_non_ascii, inputs.make_rich)
    return [measure_reading(make(DATA), plan.rounds, plan.versions, _say) for make in kinds]


def _linting(plan: Plan) -> list[Section]:
    return [measure_linting(inputs.make_lint(DATA, plan.files), plan.few_rounds)]


def _threads(plan: Plan) -> list[Section]:
    return [measure_threads(inputs.make_lint(DATA, plan.files * THREADS_TIMES), plan.few_rounds)]


def _large(plan: Plan) -> list[Section]:
    few, many = (2, 4) if plan.quick else (FEW_FILES, MANY_FILES)
    return [measure_large(few, many, 1 if plan.quick else 3)]


def _ten_million(plan: Plan) -> list[Section]:
    urls = URLS_QUICK if plan.quick else URLS
    return [measure_ten_million(DATA, 1 if plan.quick else 3, urls, URLSET, _say)]


def _expanding(plan: Plan) -> list[Section]:
    children = expanding.CHILDREN_QUICK if plan.quick else expanding.CHILDREN
    return [measure_expanding(plan.few_rounds, children), measure_slow(children)]


def _robots(plan: Plan) -> list[Section]:
    return [measure_robots(DATA, plan.rounds, str(PEER_PYTHON), plan.versions, _say)]


def _logs(plan: Plan) -> list[Section]:
    return [measure_logs(DATA, plan.few_rounds, LINES_QUICK if plan.quick else LINES, URLSET, _say)]


def _writing(plan: Plan) -> list[Section]:
    sections = [measure_writing(kind, plan.few_rounds, plan.versions) for kind in ("generator", "arrow")]
    return sections if plan.quick else [*sections, measure_writing_memory()]


def _building(plan: Plan) -> list[Section]:
    return [
        measure_csv(DATA, plan.few_rounds, URLSET, PEER_PYTHON, why_not_sitemapjs(), _say),
        measure_pages(DATA, plan.few_rounds, URLSET, _say),
    ]


def _storing(plan: Plan) -> list[Section]:
    return [measure_store(DATA, plan.rounds, _say)]


def _seeing(plan: Plan) -> list[Section]:
    return [measure_seeing(DATA, plan.rounds, _say)]


def _auditing(plan: Plan) -> list[Section]:
    pages = auditing.PAGES_QUICK if plan.quick else auditing.PAGES
    sections = [auditing.measure_audit(DATA, plan.few_rounds, pages, URLSET, plan.versions, _say)]
    return sections if plan.quick else [*sections, auditing.measure_many(DATA, auditing.MANY_PAGES, URLSET)]


def _auditing_directory(plan: Plan) -> list[Section]:
    pages = auditing.PAGES_QUICK if plan.quick else auditing.PAGES
    return [auditing.measure_folder(DATA, plan.few_rounds, pages, URLSET, plan.versions, _say)]


def _scaling(plan: Plan) -> list[Section]:
    return [measure_scaling(DATA, URLSET, SIZES_QUICK if plan.quick else SIZES, _say)]


def _validating_on_spark(plan: Plan) -> list[Section]:
    return [measure_validating(DATA, URLSET, QUICK if plan.quick else FULL, _say)]


def _building_on_spark(plan: Plan) -> list[Section]:
    return [measure_building(DATA, URLSET, QUICK if plan.quick else FULL, _say)]


def _starting(plan: Plan) -> list[Section]:
    return [measure_small(plan.rounds * 3), measure_help(plan.rounds * 3)]


PARTS: dict[str, Callable[[Plan], list[Section]]] = {
    "read": _reading,
    "lint": _linting,
    "threads": _threads,
    "large": _large,
    "ten-million": _ten_million,
    "expand": _expanding,
    "robots": _robots,
    "logs": _logs,
    "write": _writing,
    "build": _building,
    "store": _storing,
    "report": _seeing,
    "pages": _auditing,
    "directory": _auditing_directory,
    "scaling": _scaling,
    "spark-validate": _validating_on_spark,
    "spark-build": _building_on_spark,
    "help": _starting,
}
"""The parts of the benchmark, in the order of RESULTS.md."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="Measure urlset and its peers on generated inputs.")
    parser.add_argument(
        "--quick", action="store_true", help="2 rounds, 4 files; print the results and do not write them"
    )
    parser.add_argument("--rounds", type=int, help="rounds per program (default: 7)")
    parser.add_argument("--files", type=int, help=f"files to validate (default: {inputs.LINT_FILES})")
    parser.add_argument(
        "--only", choices=PARTS, nargs="+", default=list(PARTS), help="measure these parts, and keep the other results"
    )
    options = parser.parse_args()
    options.rounds = options.rounds or (2 if options.quick else 7)
    options.files = options.files or (4 if options.quick else inputs.LINT_FILES)
    return options


def main() -> None:
    """Create the inputs, measure, and print the results; write each part to RESULTS.md once it is measured."""
    # With it, Python would compile every module at every start, which users do not see.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    options = _arguments()
    if len(options.only) > 1:
        sys.exit(_measure_each(options))
    DATA.mkdir(exist_ok=True)
    [name] = options.only
    _say(f"Measuring: {name}")
    facts = machine.describe()
    plan = Plan(options.rounds, options.files, options.quick, {})
    sections = PARTS[name](plan)
    text = render(sections, measured_with(facts, plan.versions))
    print(text)
    if not options.quick:
        results.put(RESULTS, name, text, facts, PARTS)


def _measure_each(options: argparse.Namespace) -> str | None:
    """Measure each part in a process of its own, and return which failed.

    The memory of a process counts as the peak of those that it starts, so a part would inflate the next one's.
    """
    command = [sys.executable, "-m", "bench.run", "--rounds", str(options.rounds), "--files", str(options.files)]
    command += ["--quick"] if options.quick else []
    parts = [part for part in PARTS if part in options.only]
    failed = [part for part in parts if subprocess.run([*command, "--only", part], check=False).returncode]
    return f"failed: {', '.join(failed)}" if failed else None


if __name__ == "__main__":
    main()
