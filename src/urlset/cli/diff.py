"""`urlset diff`: compare two sitemaps, directories, sites, or runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, Format, file_or_stdout, format_option, shown
from urlset.errors import ExitCode
from urlset.options.comparing import DiffOptions, FailOnChange
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Text, option_group, required

if TYPE_CHECKING:
    from urlset.options.resolve import Resolved


def _side(what: str, metavar: str) -> OptionFacts:
    return OptionFacts(help=what, panel=Panel.TARGETS, metavar=metavar, faces=COMMAND_LINE, positional=True)


@option_group
class Options(DiffOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset diff`."""

    before: Text = required(_side("The earlier side", "BEFORE"))
    after: Text = required(_side("The later side", "AFTER"))
    fail_on: FailOnChange = shown(FailOnChange.ALARM, "Lowest level that fails: alarm, any, or never", "LEVEL")
    format: Format = format_option()
    output: Path | None = shown(None, "Write to FILE; - for standard output", "FILE", short="o")
    verbose: bool = shown(False, "Show all findings, including those on both sides", short="v")


def run(resolved: Resolved[Options]) -> ExitCode:
    """Compare the two sides."""
    from urlset.cli.output import Output
    from urlset.cli.outputs import as_file
    from urlset.cli.progress import ProgressBar
    from urlset.pipeline.diff import diff
    from urlset.pipeline.ruleset import check_rules
    from urlset.report.formats import render
    from urlset.report.style import Style

    options = resolved.options
    check_rules(resolved)
    with ProgressBar() as progress:
        comparison = diff(options.before, options.after, options, progress)
    file = file_or_stdout(options.output)
    if file is None:
        screen = Output(options.color)
        screen.show("diff", options.format, comparison, replace(screen.style, verbose=options.verbose))
    else:
        from urlset.publish import publish

        publish(file, as_file(render("diff", options.format, comparison, Style(verbose=options.verbose))))
    if comparison.before.failed or comparison.after.failed:
        return ExitCode.FAULT
    return ExitCode.FINDINGS if comparison.fails(options.fail_on) else ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show what changed: URLs added and removed, lastmod, children of indexes, and findings.

    BEFORE and AFTER are files, directories, sites, http(s) URLs, - for standard input, or runs of a store:
    FILE.duckdb for its newest complete run, FILE.duckdb@3 for run 3. For URLs, sites are searched and sitemap indexes
    followed.

    An alarm is a change that is rarely intended: more than --max-drop percent of URLs removed, a sitemap that no index
    lists anymore, a new error, or a lastmod that moved back. After a migration, --ask-removed requests the URLs that
    are no longer listed; each should redirect.""",
    examples=(
        "urlset diff old/sitemap.xml new/sitemap.xml",
        "urlset diff https://example.com/sitemap.xml public/",
        "urlset diff urlset.duckdb@1 urlset.duckdb@2",
        "urlset diff urlset.duckdb public/ --max-drop 5 --format json",
    ),
    exit_status="0 no alarm; 1 an alarm (see --fail-on); 2 usage or configuration error; 3 a side could not be read; "
    "4 internal error.",
)
