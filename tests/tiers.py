"""What `make test` runs of each subject whose whole form takes long, and what `make test-all` runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Subject:
    """A subject that both tiers cover.

    Attributes:
        short: What `make test` runs, in words; `{}` stands for its amount.
        long: What `make test-all` runs.
        amounts: The amount of repetitions in each tier, for subjects that differ only in it.
        tests: The test functions of the short form, as `file::function` below `tests/`, or the targets of the Makefile.
    """

    short: str
    long: str
    tests: tuple[str, ...]
    amounts: tuple[int, int] = (1, 1)


SUBJECTS: dict[str, Subject] = {
    "documents compared with libxml2": Subject(
        "{} mutated documents", "{} mutated documents", ("reader/test_well_formed.py::test_verdict_and_values_agree_with_libxml2",), (4_000, 24_000)
    ),
    "URLs compared on DuckDB and Spark": Subject(
        "{} URLs", "{} URLs", ("spark/test_made_set.py::test_both_engines_find_the_same",), (5_000, 20_000)
    ),
    "kills of a build on Spark": Subject(
        "{} kill", "{} kills", ("spark/test_kill.py::test_a_build_killed_at_any_moment",), (1, 3)
    ),
}


def table() -> str:
    """Return the table of CONTRIBUTING.md."""
    rows = ["| subject | `make test` | `make test-all` |", "|---|---|---|"]
    for name, subject in SUBJECTS.items():
        short, long = (
            text.format(f"{amount:,}") for text, amount in zip((subject.short, subject.long), subject.amounts, strict=True)
        )
        rows.append(f"| {name} | {short} | {long} |")
    return "\n".join(rows)
