"""What `make test` runs of each subject whose whole form takes long, and what `make test-all` runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Subject:
    """A subject that both tiers cover.

    Attributes:
        short: What `make test` runs, in words; `{}` stands for its amount.
        long: What `make test-all` runs.
        amounts: The amount of repetitions in each tier, for subjects that differ only in it.
        tests: The tests of the short form: files below `tests/`, or functions as `file::function`.
    """

    short: str
    long: str
    tests: tuple[str, ...]
    amounts: tuple[int, int] = (1, 1)


SUBJECTS: dict[str, Subject] = {
    "documents compared with libxml2": Subject(
        "{} mutated documents",
        "{} mutated documents",
        ("reader/test_well_formed.py::test_verdict_and_values_agree_with_libxml2",),
        (4_000, 24_000),
    ),
    "properties": Subject(
        "{} examples of each, or three in ten of the number that a property sets, also in Rust; the same in each run",
        "{} examples of each, or the number that it sets; `make test-random` uses new ones each time",
        ("reader/test_any_bytes.py",),
        (30, 100),
    ),
    "tables of slow cases": Subject(
        "some of the cases of each, from the first to the last (`@pytest.mark.sampled`)",
        "all cases, of random ones and of combinations some more",
        (
            "network/test_reach.py::test_what_a_run_reaches",
            "pipeline/test_diff_gaps.py::test_each_gap_is_reported",
            "pipeline/test_not_checked.py::test_what_was_not_checked_is_not_fixed",
        ),
    ),
    "cases of rules": Subject(
        "small documents in one run, fetched ones in another; of those that need a run of their own, the first of each "
        "rule and sort",
        "all of these, and each of the others in a run of its own as well",
        ("rules/test_cases.py::test_fails", "rules/test_cases.py::test_passes"),
    ),
    "generators of static sites": Subject(
        "MkDocs",
        "Hugo, Sphinx, and Zensical as well, with planted faults; `make generators` builds with all of "
        "docs/generators.md, for which npm and network access are required",
        ("cli/test_recipes.py::test_mkdocs", "hosting/test_generators.py::test_the_page_has_each_generator"),
    ),
    "web servers": Subject(
        "planted servers in Python, faulty and healthy",
        "nginx, Apache, Caddy, and those of Node and Python, in 26 configurations",
        (
            "clients/test_causes.py::test_the_planted_cause_is_named_first",
            "clients/test_causes.py::test_an_ordinary_server_is_not_accused",
        ),
    ),
    "cost of hostile input": Subject(
        "shapes of hostile documents in Python and Rust, of {} bytes in Python",
        "the same of {} bytes, work counted in every block of the core, and 80,000 mutants (`make test-cost`)",
        ("reader/test_bounds.py::test_hostile_shapes",),
        (1_000_000, 3_000_000),
    ),
    "memory for long listings of object stores": Subject(
        "{} keys",
        "{} keys",
        ("objects/test_objects.py::test_many_keys_take_little_memory_and_a_limit_is_said",),
        (30_000, 100_000),
    ),
    "URLs of logs in little memory": Subject(
        "{} URLs",
        "{} URLs",
        ("access_logs/test_judging.py::test_many_urls_need_little_memory",),
        (120_000, 200_000),
    ),
    "a simulated year": Subject(
        "{} pages",
        "{} pages",
        ("coverage/test_simulated_year.py",),
        (1_000, 2_000),
    ),
    "renderings of reports": Subject(
        "axe once per kind of report, in one theme and width each, with short tables; Tab and print in one each; five "
        "pages of the workbench, in one theme and width each",
        "axe, Tab, and print in every theme and width, axe on whole pages; all pages of the workbench, and two users "
        "at once",
        (
            "browser/test_appearance.py::test_axe_finds_no_violations",
            "browser/test_appearance.py::test_print_opens_details_and_hides_controls",
            "browser/test_keyboard.py::test_tab_reaches_every_control_in_order",
        ),
    ),
    "the wheel": Subject(
        "contents of wheels, and that imports are light",
        "a wheel built, installed without compilers, and every command run (`make test-wheel`)",
        ("test_packaging.py", "test_repack_wheel.py"),
    ),
    "URLs compared on DuckDB and Spark": Subject(
        "{} URLs with some rules on locations, dates, repetitions, and languages; the cases of some rules",
        "{} URLs and real sites with all rules; the cases of all rules",
        ("spark/test_made_set.py::test_both_engines_find_the_same", "spark/test_engine.py::test_all_cases"),
        (1_000, 6_000),
    ),
    "cases that others answer, on Spark": Subject(
        "{} case of each rule in a run of its own",
        "up to {} cases",
        ("spark/test_engine.py::test_cases_one_by_one",),
        (1, 5),
    ),
    "kills of a build": Subject(
        "before the first and the last operation on files, and {} between them",
        "before every operation on files",
        ("build/test_kill.py", "build/test_kill_stable.py"),
        (6, 1_000),
    ),
    "kills of build after build": Subject(
        "{} kills",
        "{} kills",
        ("build/test_kill.py", "build/test_kill_command.py", "build/test_kill_stable.py"),
        (12, 40),
    ),
    "kills of `notify`": Subject(
        "{} kills", "{} kills", ("indexnow/test_notify.py::test_killed_runs_lose_nothing",), (2, 10)
    ),
    "guards of rules": Subject(
        "one in {} documents of the cases, with and without guards",
        "every document of the cases, the examples of the rules, and real sites",
        ("rules/test_guards.py::test_on_the_runs_of_cases",),
        (24, 1),
    ),
    "rules of runs on Spark": Subject(
        "a few rules of each kind",
        "all rules",
        ("spark/test_engine.py::test_all_cases", "spark/test_reading.py", "spark/test_pages.py"),
    ),
    "kills of an audit": Subject(
        "{} kills",
        "{} kills",
        ("resume/test_audit_sitemaps.py", "resume/test_audit_pages.py", "resume/test_links.py"),
        (3, 25),
    ),
    "interrupted merges of logs": Subject(
        "one after every {} statements",
        "one after each statement",
        ("resume/test_logs.py::test_an_interrupted_merge_loses_nothing_and_counts_nothing_twice",),
        (6, 1),
    ),
    "slow cases on Spark": Subject(
        "reading, following an index, judging pages, and writing to a directory",
        "limits of following, errors of reading, single rows of pages, folders and patterns, omitted entries, object "
        "stores, and a Java process that ends",
        ("spark/test_reading.py", "spark/test_following.py", "spark/test_pages.py", "spark/test_writing.py"),
    ),
    "JSON of commands": Subject(
        "one output of each command and format, compared with a golden file",
        "also the members that only some options add",
        ("report/test_json_goldens.py",),
    ),
    "slow cases": Subject(
        "of those that take a second or more, the ones without which some line of the package would not run, and those "
        "about private hosts, secrets, and kills",
        "all of them",
        (
            "access_logs/test_judging.py",
            "coverage/test_inspect.py",
            "hosting/test_pull_request.py",
            "indexnow/test_notify.py",
            "pipeline/test_audit.py",
            "pipeline/test_diff.py",
            "serve/test_jobs.py",
        ),
    ),
    "the action for GitHub": Subject(
        "its script, and that only new findings fail it",
        "also what it installs: its own revision, a wheel, or a version",
        ("test_ci_files.py::test_the_action_fails_on_new_findings_only",),
    ),
    "kills of a build on Spark": Subject(
        "{} kill, with files in a directory",
        "{} kills, and others with files in an object store",
        ("spark/test_kill.py::test_a_build_killed_at_any_moment",),
        (1, 3),
    ),
}


IS_LONG = False
"""Whether this is `make test-all`; set before tests are imported."""


def amount(subject: str) -> int:
    """Return the number of repetitions of a subject in this tier."""
    return SUBJECTS[subject].amounts[IS_LONG]


def selected(*codes: str) -> tuple[str, ...]:
    """Return the codes of rules in `make test`, and none, which selects the default, in `make test-all`."""
    return () if IS_LONG else codes


def examples(most: int) -> int:
    """Return how many examples a property has that sets their number itself: three in ten in `make test`."""
    return most if IS_LONG else max(10, most * 3 // 10)


def sampled(cases: Sequence[T], count: int, long: int | None = None) -> list[T]:
    """Return so many cases, evenly from the first to the last, in `make test`; in `make test-all` all, or `long`."""
    count = (long or len(cases)) if IS_LONG else count
    if len(cases) <= count:
        return list(cases)
    return [cases[number * (len(cases) - 1) // max(count - 1, 1)] for number in range(count)]


def table() -> str:
    """Return the table of CONTRIBUTING.md."""
    rows = ["| subject | `make test` | `make test-all` |", "|---|---|---|"]
    for name, subject in SUBJECTS.items():
        short, long = (f"{amount:,}" for amount in subject.amounts)
        rows.append(f"| {name} | {subject.short.format(short)} | {subject.long.format(long)} |")
    return "\n".join(rows)
