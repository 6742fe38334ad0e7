"""`urlset coverage`: how far listed URLs get to the index of a search engine, and what search engines report."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, output_option
from urlset.errors import ExitCode, UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.coverage import (
    CoverageOptions,
    ImportOptions,
    InspectionOptions,
    ReportedSitemapsOptions,
    SearchConsoleOptions,
    WebmasterOptions,
)
from urlset.options.declare import COMMAND_LINE, OptionFacts, OptionGroup, Panel, Text, option, option_group, options_of

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions

IMPORT, INSPECT, SITEMAPS = "import", "inspect", "sitemaps"
"""The first argument, for what else the command does."""

TASK_GROUPS = (CoverageOptions, ImportOptions, InspectionOptions, SearchConsoleOptions, WebmasterOptions)
"""The groups whose options are those of some tasks only."""


class CoverageFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


@option_group
class Options(
    CoverageOptions, ImportOptions, InspectionOptions, ReportedSitemapsOptions, ColorOptions, ConfiguringOptions
):
    """Options of `urlset coverage`."""

    task: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="`import` and the files to import, `inspect`, or `sitemaps`; without it, show the funnel",
            panel=Panel.TARGETS,
            metavar="import EXPORT",
            faces=COMMAND_LINE,
            positional=True,
        ),
    )
    format: CoverageFormat = output_option(
        CoverageFormat.TEXT, "Output format: text or json; for the funnel, also csv or markdown", "FORMAT"
    )
    verbose: bool = output_option(False, "Show all examples, full URLs, and the sources of the rules", short="v")

    def check(self) -> None:
        """Check the task, and that no option of another one is set.

        Raises:
            UsageError: The task is unknown, or an option is for another one.
        """
        name = self.task[0] if self.task else None
        if name not in (None, IMPORT, INSPECT, SITEMAPS) or (name in (INSPECT, SITEMAPS) and len(self.task) > 1):
            raise UsageError(
                f"unexpected argument {self.task[-1]!r}; use `urlset coverage`, `urlset coverage import EXPORT...`, "
                "`urlset coverage inspect`, or `urlset coverage sitemaps`"
            )
        if name is not None and self.format not in (CoverageFormat.TEXT, CoverageFormat.JSON):
            raise UsageError(f"--format {self.format}: `urlset coverage {name}` writes text or json")
        group: type[OptionGroup] = {
            None: CoverageOptions,
            IMPORT: ImportOptions,
            INSPECT: InspectionOptions,
            SITEMAPS: ReportedSitemapsOptions,
        }[name]
        own = {each.name for each in options_of(group)}
        for each in options_of(type(self)):
            # The configuration file may set options of other groups for other commands.
            is_of_task = each.group in TASK_GROUPS
            if is_of_task and each.name not in own and getattr(self, each.name) != each.default:
                raise UsageError(f"--{each.key} is not an option of `urlset coverage{f' {name}' if name else ''}`")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from dataclasses import replace

    from urlset.cli.output import Output
    from urlset.pipeline.coverage import coverage, import_exports

    options = configuration.options
    output = Output(options.color)
    style = replace(output.style, verbose=options.verbose, hints=options.verbose, fail_on=options.fail_on)
    if not options.task:
        result = coverage(options)
        output.show("coverage", options.format, result, style)
        return ExitCode.FINDINGS if result.report.fails(options.fail_on) else ExitCode.CLEAN
    if options.task[0] == IMPORT:
        output.show(
            "coverage import", options.format, import_exports(list(map(Path, options.task[1:])), options), style
        )
        return ExitCode.CLEAN
    if options.task[0] == SITEMAPS:
        from urlset.coverage.reported import reported_sitemaps

        output.show("coverage sitemaps", options.format, reported_sitemaps(options), style)
        return ExitCode.CLEAN
    from urlset.cli.progress_bar import ProgressBar
    from urlset.coverage.inspect_urls import inspect_urls

    with ProgressBar() as progress:
        inspected = inspect_urls(options, progress)
    output.show("coverage inspect", options.format, inspected, style)
    return inspected.exit_code


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show how many listed URLs are fetched by crawlers, indexable, and indexed, per sitemap or section.

    The listed URLs and their pages come from an audit in the store, the requests of crawlers from `urlset logs`, and
    what search engines report from `urlset coverage import` and `urlset coverage inspect`. What is not known is left
    blank, and never counts as no.""",
    details="""`urlset coverage import EXPORT...` reads the lists of URLs that Search Console exports for each reason,
    in any language, as ZIP files, as directories, or as the CSV files in them; the export of Site Explorer in Bing
    Webmaster Tools; and with --fields, any CSV file. The summary that Search Console exports has no URLs, and is
    rejected. An export has at most 1,000 URLs.

    `urlset coverage inspect` asks the URL Inspection API of Google about the listed URLs of a property. It needs the
    extra `urlset[google]`, and the credentials of an account with access to the property. The requests of the last 24
    hours are counted in the store; when the quota is used up, the command stops and says when --resume can continue.
    With --sample, the URLs are spread evenly over the sitemaps, and the share of indexed URLs has a confidence
    interval. Access tokens are never stored.

    `urlset coverage sitemaps` asks search engines about the sitemaps that were submitted to them: when each was read
    last, whether it is pending, its errors, warnings, and URLs. It asks Google with --property and --credentials, and
    Bing with --bing-key, a file with the API key of Bing Webmaster Tools. Nothing is stored.

    With google, requests count as fetched if they are of Googlebot, according to their user agent, and not known to be
    of an impostor. A crawl that the search engine reports counts, too.""",
    examples=(
        "urlset coverage import example.com-Coverage-Drilldown-2026-11-20.zip",
        "urlset coverage",
        "urlset coverage --by section --format csv",
        "urlset coverage import pages.csv --engine seznam --fields url=Address --fields state=Indexed",
        "urlset coverage inspect --property sc-domain:example.com --credentials key.json --sample 2401",
        "urlset coverage inspect --property sc-domain:example.com --credentials key.json --resume",
        "urlset coverage sitemaps --property sc-domain:example.com --credentials key.json",
        "urlset coverage sitemaps --bing-key bing.key --bing-site https://example.com/",
    ),
    exit_status="0 shown, imported, or inspected as far as the quota allows; 1 findings at or above --fail-on; 2 usage "
    "or configuration error, or no access to the property; 3 a file or the store could not be read, or the API could "
    "not be reached; 4 internal error.",
)
