"""Options of the whole test suite, and what is told at its end."""

from __future__ import annotations

from collections import Counter

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--mutations",
        type=int,
        default=24_000,
        metavar="N",
        help="how many mutated documents the reader is held against libxml2 with",
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how many mutated documents were compared with libxml2, and how many differences had which reason."""
    tally: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", []):
        if "test_well_formed" in report.nodeid:
            tally.update({name: int(str(count)) for name, count in report.user_properties})
    if tally:
        terminalreporter.write_line("against libxml2: " + ", ".join(f"{count} {what}" for what, count in tally.items()))
