"""`urlset fix`: repair sitemaps."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.cli.command import CommandSpec
from urlset.cli.show import Color, ColorOptions, Format, TargetOptions, file_or_stdout, format_option, output_option
from urlset.errors import ExitCode, UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import option_group
from urlset.options.fixing import FixOptions

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(TargetOptions, FixOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset fix`."""

    format: Format = format_option(Format.TEXT)
    verbose: bool = output_option(False, "Show all examples, and everything that was left out", short="v")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output, complain
    from urlset.cli.progress_bar import ProgressBar
    from urlset.errors import exit_code_for
    from urlset.pipeline.fix import fix

    options = configuration.options
    is_dry = options.dry_run or options.diff
    output = options.output if options.in_place else file_or_stdout(options.output)
    gives_document = output is None and not options.in_place and not is_dry
    if gives_document and options.format is Format.JSON:
        raise UsageError("the repaired document goes to standard output; add --output FILE for the report as JSON")
    with ProgressBar() as progress:
        report = fix(options.targets, replace(options, output=output, dry_run=is_dry), progress)
    repairs = {repair.kind for document in report.documents for repair in document.repairs}
    if options.base_url is not None and report.remaining and repairs.isdisjoint(("url-relative", "url-host", "split")):
        complain(
            "--base-url has no effect: no URL is relative or, for a public base URL, on the host of a development "
            "server"
        )
    for unreadable in report.unreadable:
        complain(f"{unreadable.target}: {unreadable.reason}")
    screen = Output(options.color)
    # For a person the patch is shown escaped; for a program it is the bytes that `patch` takes.
    gives_patch = options.diff and options.format is Format.TEXT and not (screen.is_terminal or screen.is_log)
    if gives_patch and not screen.write_bytes(b"".join(document.patch for document in report.documents)):
        return ExitCode.CLEAN
    if gives_patch:
        report = structs.replace(
            report, documents=[structs.replace(document, diff=()) for document in report.documents]
        )
    if gives_document or gives_patch:
        screen = Output(options.color, sys.stderr)
    if gives_document:
        for document in report.documents:
            if document.content is not None and not Output(Color.NEVER).write_bytes(document.content):
                return ExitCode.CLEAN
    screen.show("fix", options.format, report, replace(screen.style, verbose=options.verbose))
    if report.unreadable:
        return exit_code_for(target.reason for target in report.unreadable)
    is_good = report.is_right if is_dry else report.is_whole
    return ExitCode.CLEAN if is_good and report.is_whole else ExitCode.FINDINGS


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Repair what has exactly one correct fix: escaping, encoding, namespaces, whitespace, dates, duplicates.

    Valid parts stay byte for byte the same, and fixing twice changes nothing. An entry that cannot be repaired (no loc,
    a relative or malformed URL) is left out and listed with its line; an ambiguous value is not changed. `urlset rules`
    marks the rules that can be fixed. Feeds are not modified.

    By default the repaired document goes to standard output and the report to standard error. A gzipped document stays
    gzipped.""",
    examples=(
        "urlset fix sitemap.xml -o fixed.xml",
        "urlset fix public/ --in-place",
        "urlset fix public/ --diff",
        "urlset fix https://example.com/sitemap.xml > sitemap.xml",
        "urlset fix big.xml -o out/sitemap.xml --base-url https://example.com/",
    ),
    exit_status="0 no error remains; 1 something was left out, an error remains, or something requires repair with "
    "--dry-run or --diff; 2 usage or configuration error; 3 a target could not be read; 4 internal error.",
)
