"""What `validate` and `audit` do with a report: the baseline, standard output, files, and the exit code."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from urlset.cli.show import ColorOptions, PageOptions, shown
from urlset.errors import ExitCode
from urlset.options.declare import Text, option_group
from urlset.options.judging import JudgingOptions
from urlset.options.reporting import ReportingOptions
from urlset.report.formats import Form

if TYPE_CHECKING:
    from collections.abc import Callable

    from urlset.cli.output import Output
    from urlset.model.report import Report
    from urlset.model.report_page import Page


@option_group
class ReportOptions(ReportingOptions, PageOptions, ColorOptions):
    """What a report looks like, and where it goes."""

    format: Form = shown(
        Form.TEXT,
        "Output format: text, concise, json, jsonl, csv, markdown, sarif, junit, github, gitlab, or none",
        "FORMAT",
    )
    output: tuple[Text, ...] = shown(
        (), "Also write the report to FILE, in the format of its extension; can be repeated", "[FORMAT:]FILE", short="o"
    )
    verbose: bool = shown(False, "Show all examples, full URLs, hints, and the sources of the rules", short="v")
    write_baseline: bool = shown(False, "Write the findings to the baseline, and exit with 0")


@option_group
class JudgedOptions(JudgingOptions, ReportOptions):
    """What a command takes that runs the rules and reports."""


V = TypeVar("V", bound=JudgedOptions)


def check_report(options: ReportOptions) -> None:
    """Check where the report goes, before anything is read.

    Raises:
        UsageError: A format is unknown, or a file is named twice.
        OutputError: A directory does not exist.
        ConfigError: The baseline cannot be read.
    """
    from urlset.cli import known
    from urlset.cli.outputs import check_place, destinations

    if options.report is not None:
        check_place(options.report)
    destinations(options.output)
    known.check_options(options.baseline, options.write_baseline)


def deliver(
    report: Report,
    options: ReportOptions,
    *,
    max_examples: int,
    show: Callable[[Report, Output], bool] | None = None,
    page: Callable[[Report], Page] | None = None,
) -> ExitCode:
    """Write the report wherever it goes.

    Args:
        report: The report.
        options: What it looks like, and where it goes.
        max_examples: Examples to show per finding; with a baseline the report has more.
        show: Writes standard output instead; it returns False to leave that to the format.
        page: Makes the HTML report, where one is wanted.

    Returns:
        The exit code of the command.
    """
    from urlset.cli import known
    from urlset.cli.output import Output, complain
    from urlset.cli.outputs import destinations, write_outputs, write_page
    from urlset.errors import exit_code_for

    output = Output(options.color)
    # The text report says the same; on one terminal once is enough.
    if not (options.format is Form.TEXT and output.is_terminal and sys.stderr.isatty()):
        for note in report.notes:
            complain(note)
        for unreadable in report.unreadable:
            complain(f"{unreadable.target}: {unreadable.reason}")
    if options.baseline is not None:
        if options.write_baseline:
            known.write_baseline(report, options.baseline)
            return ExitCode.CLEAN
        report = known.without_known(report, options.baseline, max_examples)
    if options.format is not Form.NONE and (show is None or not show(report, output)):
        output.write_report(report, options.format, fail_on=options.fail_on, verbose=options.verbose)
    write_outputs(report, destinations(options.output), fail_on=options.fail_on, verbose=options.verbose)
    if options.report is not None and page is not None:
        write_page(page(report), options.report)
    if report.unreadable:
        return exit_code_for(one.reason for one in report.unreadable)
    return ExitCode.FINDINGS if report.fails(options.fail_on, options.max_warnings) else ExitCode.CLEAN


def enough_examples(options: V) -> V:
    """Return the options of a run: comparing with a baseline needs more examples than are shown."""
    from urlset.pipeline.baseline import EXAMPLES_KEPT

    if options.baseline is None:
        return options
    return replace(options, max_examples=max(options.max_examples, EXAMPLES_KEPT))
