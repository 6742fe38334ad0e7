"""Options for what a run fails on, and which findings are hidden."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from urlset.options.declare import Face, Natural, OptionFacts, OptionGroup, Panel, option, option_group


class FailOn(StrEnum):
    """The lowest severity that makes a run fail."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    HINT = "hint"
    NEVER = "never"


OUTSIDE_PYTHON = frozenset({Face.COMMAND_LINE, Face.FILE})
"""The faces of options that Python code applies to the report itself."""


def fail_on_option(faces: frozenset[Face]) -> FailOn:
    """Declare the option for the findings on which a run fails."""
    return option(
        FailOn.ERROR,
        OptionFacts(
            help="Lowest severity that fails: error, warning, info, hint, never",
            panel=Panel.REPORT,
            metavar="SEVERITY",
            example='"warning"',
            faces=faces,
        ),
    )


@option_group
class BaselineOptions(OptionGroup):
    """The file of known findings."""

    baseline: Path | None = option(
        None,
        OptionFacts(
            help="Hide findings recorded in FILE",
            panel=Panel.RULES,
            metavar="FILE",
            example='"urlset-baseline.json"',
            is_place=True,
            faces=OUTSIDE_PYTHON,
        ),
    )


@option_group
class ReportingOptions(BaselineOptions):
    """What a run fails on, and which findings are hidden."""

    fail_on: FailOn = fail_on_option(OUTSIDE_PYTHON)
    max_warnings: Natural | None = option(
        None,
        OptionFacts(
            rare=True,
            help="Fail on more than N warnings",
            panel=Panel.REPORT,
            metavar="N",
            example="20",
            faces=OUTSIDE_PYTHON,
            more="As in the summary, each rule counts once per document.",
        ),
    )
