"""Deliver a report of `validate` or `audit`: baseline, standard output, files, and exit code."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.cli.show import ColorOptions, PageOptions, format_option, output_option
from urlset.errors import ExitCode
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Text, option, option_group
from urlset.options.judging import JudgingOptions
from urlset.options.reporting import ReportingOptions
from urlset.report.formats import Form
from urlset.report.paint import Role
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Callable

    from urlset.cli.output import Output
    from urlset.model.report import Report
    from urlset.model.report_page import Page


@option_group
class DeliveryOptions(ReportingOptions, PageOptions, ColorOptions):
    """The appearance and the destinations of a report."""

    output: tuple[Text, ...] = option(
        (),
        OptionFacts(
            is_output=True,
            help="Also write the report to FILE; can be repeated",
            panel=Panel.REPORT,
            metavar="[FORMAT:]FILE",
            short="o",
            faces=COMMAND_LINE,
            more="Without a format, the extension of FILE decides.",
        ),
    )
    verbose: bool = output_option(False, "Show all kept examples, full URLs, hints, and sources of rules", short="v")
    write_baseline: bool = output_option(False, "Write the findings to the baseline, and exit with 0")


@option_group
class ReportOptions(DeliveryOptions):
    """How the findings are reported."""

    format: Form = format_option(Form.TEXT)


@option_group
class JudgingReportOptions(JudgingOptions, ReportOptions):
    """Options of a command that runs the rules and reports."""


def check_report(options: DeliveryOptions) -> None:
    """Check the destinations of the report before anything is read.

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
    options: DeliveryOptions,
    *,
    form: str,
    max_examples: int,
    show: Callable[[Report, Output, Style], bool] | None = None,
    page: Callable[[Report], Page] | None = None,
    text_has_messages: bool = True,
    closing: str | None = None,
    content: str = "validate",
) -> ExitCode:
    """Write the report to all of its destinations.

    Args:
        form: The format of standard output.
        max_examples: Examples to show per finding; with a baseline the report has more.
        show: Writes standard output instead; it returns False to leave that to this function.
        text_has_messages: Whether the text that `show` writes has the notes and the unreadable targets.
        content: What the formats show of the report, as `OUTPUTS` names it: `validate` or `statistics`.
        closing: A last line for the text on standard output, if any URL is listed.
    """
    from urlset.cli import known
    from urlset.cli.output import Output
    from urlset.cli.outputs import destinations, write_outputs, write_page
    from urlset.errors import exit_code_for

    output = Output(options.color)
    is_shown = not options.write_baseline
    has_messages = is_shown and text_has_messages and form == Form.TEXT and content == "validate"
    # What could not be read is an error, which whoever reads only standard error must see as well; a note is not.
    notes = () if has_messages else report.notes
    unreadable = (f"{target.target}: {target.reason}" for target in report.unreadable)
    output.complain((*notes, *unreadable), has_messages=has_messages)
    if options.baseline is not None:
        if options.write_baseline:
            known.write_baseline(report, options.baseline)
            return ExitCode.CLEAN
        report = known.without_known_findings(report, options.baseline, max_examples)
    if Form.LLM in forms_of(form, options):
        from urlset.pipeline.edits import with_edits

        report = with_edits(report)
    fail_on = report.failing_severity(options.fail_on, options.max_warnings)
    style = replace(output.style, fail_on=fail_on, verbose=options.verbose, hints=options.verbose)
    if form != Form.NONE and (show is None or not show(report, output, style)):
        output.show(content, form, report, style)
        if closing is not None and form == Form.TEXT and report.summary.urls:
            output.write([output.paint(closing, Role.FAINT)])
    style = Style(fail_on=fail_on, verbose=options.verbose)
    write_outputs(report, destinations(options.output), style, content)
    if options.report is not None and page is not None:
        write_page(page(report), options.report, opens=options.open)
    if report.unreadable:
        return exit_code_for(target.reason for target in report.unreadable)
    return ExitCode.FINDINGS if report.fails(fail_on) else ExitCode.CLEAN


def forms_of(form: str, options: DeliveryOptions) -> frozenset[str]:
    """Return the formats of all destinations of a report."""
    from urlset.cli.outputs import destinations

    return frozenset({form, *(file.form for file in destinations(options.output))})


def examples_to_keep(options: DeliveryOptions, max_examples: int) -> int:
    """Return the number of examples that a run keeps. Comparing with a baseline requires more than are shown."""
    if options.baseline is None:
        return max_examples
    from urlset.stages.baseline import MIN_EXAMPLES

    return max(max_examples, MIN_EXAMPLES)
