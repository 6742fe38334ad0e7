"""`urlset coverage`: how far listed URLs get to the index of a search engine, and what search engines report."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, Format, format_option, output_option
from urlset.errors import ExitCode, UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.coverage import (
    By,
    CoverageDiffOptions,
    CoverageOptions,
    ImportOptions,
    ImpressionsOptions,
    InspectionOptions,
    ReportedSitemapsOptions,
)
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, option_group, required

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


class CoverageFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


@option_group
class ShowOptions(ColorOptions, ConfiguringOptions):
    """Options of the output of every `urlset coverage` command."""

    verbose: bool = output_option(False, "Show all kept examples, full URLs, and the sources of the rules", short="v")

    def show(self, command: str, form: str, result: object, fail_on: str | None = None) -> None:
        """Write the result of a command to standard output.

        Args:
            fail_on: The severity that fails the command; None for the default.
        """
        from urlset.cli.output import Output

        output = Output(self.color)
        style = replace(output.style, verbose=self.verbose, hints=self.verbose)
        output.show(command, form, result, style if fail_on is None else replace(style, fail_on=fail_on))


@option_group
class FunnelOptions(CoverageOptions, ShowOptions):
    """Options of `urlset coverage` itself."""

    clock: bool = output_option(
        False, "Show how many days pages take to be crawled, indexed, and shown in results, instead of the funnel"
    )
    format: CoverageFormat = format_option(CoverageFormat.TEXT)


@option_group
class DiffCommandOptions(CoverageDiffOptions, ShowOptions):
    """Options of `urlset coverage diff`."""

    format: Format = format_option(Format.TEXT)


@option_group
class ImportCommandOptions(ImportOptions, ShowOptions):
    """Options of `urlset coverage import`."""

    exports: tuple[Path, ...] = required(
        OptionFacts(
            help="ZIP files, directories, or CSV files that a search engine exported",
            panel=Panel.TARGETS,
            metavar="EXPORT",
            faces=COMMAND_LINE,
            positional=True,
        )
    )
    format: Format = format_option(Format.TEXT)


@option_group
class InspectCommandOptions(InspectionOptions, ShowOptions):
    """Options of `urlset coverage inspect`."""

    format: Format = format_option(Format.TEXT)


@option_group
class ImpressionsCommandOptions(ImpressionsOptions, ShowOptions):
    """Options of `urlset coverage impressions`."""

    format: Format = format_option(Format.TEXT)


@option_group
class SitemapsCommandOptions(ReportedSitemapsOptions, ShowOptions):
    """Options of `urlset coverage sitemaps`."""

    format: Format = format_option(Format.TEXT)


def show_funnel(configuration: ResolvedOptions[FunnelOptions]) -> ExitCode:
    from urlset.pipeline.coverage import coverage, coverage_clock

    options = configuration.options
    if options.clock:
        if options.by is not By.DOCUMENT:
            raise UsageError("--clock shows sections and templates; remove --by")
        options.show("coverage --clock", options.format, coverage_clock(options))
        return ExitCode.CLEAN
    result = coverage(options)
    options.show("coverage", options.format, result, options.fail_on)
    return ExitCode.FINDINGS if result.report.fails(options.fail_on) else ExitCode.CLEAN


def diff(configuration: ResolvedOptions[DiffCommandOptions]) -> ExitCode:
    from urlset.pipeline.coverage_diff import coverage_diff

    options = configuration.options
    result = coverage_diff(options)
    options.show("coverage diff", options.format, result)
    return ExitCode.CLEAN


def import_(configuration: ResolvedOptions[ImportCommandOptions]) -> ExitCode:
    from urlset.pipeline.coverage import import_exports

    options = configuration.options
    result = import_exports(options.exports, options)
    options.show("coverage import", options.format, result)
    return ExitCode.CLEAN


def inspect(configuration: ResolvedOptions[InspectCommandOptions]) -> ExitCode:
    from urlset.cli.progress_bar import ProgressBar
    from urlset.coverage.inspect_urls import inspect_urls

    options = configuration.options
    with ProgressBar() as progress:
        result = inspect_urls(options, progress)
    options.show("coverage inspect", options.format, result)
    return result.exit_code


def impressions(configuration: ResolvedOptions[ImpressionsCommandOptions]) -> ExitCode:
    from urlset.cli.progress_bar import ProgressBar
    from urlset.coverage.fetch_impressions import fetch_impressions

    options = configuration.options
    with ProgressBar() as progress:
        result = fetch_impressions(options, progress)
    options.show("coverage impressions", options.format, result)
    return result.exit_code


def sitemaps(configuration: ResolvedOptions[SitemapsCommandOptions]) -> ExitCode:
    from urlset.coverage.reported import reported_sitemaps

    options = configuration.options
    result = reported_sitemaps(options)
    options.show("coverage sitemaps", options.format, result)
    return ExitCode.CLEAN


DIFF = CommandSpec(
    options=DiffCommandOptions,
    run=diff,
    about="""Show which URLs fell out of the index, entered it, or got another reason between two days.

    For each day, the last report on a URL up to the end of that day counts. If the store has runs from both times, it
    also shows what changed on these pages. URLs without a newer report are counted as unknown, not as unchanged.""",
    examples=(
        "urlset coverage diff",
        "urlset coverage diff --since 2026-09-01 --until 2026-11-01 --rows 100",
    ),
    exit_status="0 shown; 2 usage or configuration error; 3 the store could not be read; 4 internal error.",
)

IMPORT = CommandSpec(
    options=ImportCommandOptions,
    run=import_,
    about="""Import the URLs that a search engine exports for each reason.

    It reads the exports of Search Console, in any language, as ZIP files, as directories, or as the CSV files in them;
    the export of Site Explorer in Bing Webmaster Tools; and with --fields, any CSV file. The summary that Search
    Console exports has no URLs, and is rejected. An export has at most 1,000 URLs.""",
    examples=(
        "urlset coverage import example.com-Coverage-Drilldown-2026-11-20.zip",
        "urlset coverage import pages.csv --engine seznam --fields url=Address --fields state=Indexed",
    ),
    exit_status="0 imported; 2 usage or configuration error; 3 a file or the store could not be read; 4 internal "
    "error.",
)

INSPECT = CommandSpec(
    options=InspectCommandOptions,
    run=inspect,
    about="""Query the URL Inspection API of Google for the listed URLs of a property.

    It needs the extra `urlset[google]`, and the credentials of an account with access to the property. The requests of
    the last 24 hours are counted in the store; when the quota is used up, the command stops and says when --resume can
    continue. URLs whose state is unknown come first, then those that changed since the last report, then those with
    the oldest report. No URL is requested twice in 24 hours. With --sample, the URLs are spread evenly over the
    sitemaps, and the share of indexed URLs has a confidence interval. Access tokens are never stored.""",
    examples=(
        "urlset coverage inspect --property sc-domain:example.com --credentials key.json --sample 2401",
        "urlset coverage inspect --property sc-domain:example.com --credentials key.json --resume",
    ),
    exit_status="0 inspected as far as the quota allows; 2 usage or configuration error, or no access to the property; "
    "3 the store could not be read, or the API could not be reached; 4 internal error.",
)

IMPRESSIONS = CommandSpec(
    options=ImpressionsCommandOptions,
    run=impressions,
    about="""Fetch impressions and clicks by page and day from the Search Analytics API of Google.

    It needs the extra `urlset[google]`, and the credentials of an account with access to the property. Days in
    the store are not requested again, except those whose data Google was still collecting. You can run the command
    every day, and again after an interrupt or when the quota was used up. The queries of users are not requested.""",
    details="""An impression shows that a page was indexed that day. A page without impressions may be indexed, too: the
    API returns only the 50,000 pages with the most clicks of a day, and reports the canonical URL of each page, which
    can differ from the listed URL. Days are in Pacific time.""",
    examples=(
        "urlset coverage impressions --property sc-domain:example.com --credentials key.json",
        "urlset coverage impressions --property https://example.com/ --credentials key.json --since 90d",
    ),
    exit_status="0 fetched as far as the quota allows; 2 usage or configuration error, or no access to the property; "
    "3 the store could not be read, or the API could not be reached; 4 internal error.",
)

SITEMAPS = CommandSpec(
    options=SitemapsCommandOptions,
    run=sitemaps,
    about="""Show what search engines report about the sitemaps that were submitted to them.

    It shows when each sitemap was last read, whether it is pending, and its errors, warnings, and URLs. It queries
    Google with --property and --credentials, and Bing with --bing-key, a file with the API key of Bing Webmaster Tools.
    If the store exists, each reading is added to its table `sitemap_readings`.""",
    examples=(
        "urlset coverage sitemaps --property sc-domain:example.com --credentials key.json",
        "urlset coverage sitemaps --bing-key bing.key --bing-site https://example.com/",
    ),
    exit_status="0 shown; 2 usage or configuration error, or no access to the property; 3 the API could not be "
    "reached; 4 internal error.",
)

COMMAND = CommandSpec(
    options=FunnelOptions,
    run=show_funnel,
    about="""Show how many listed URLs are fetched by crawlers, indexable, and indexed, per sitemap or section.

    The listed URLs and their pages come from an audit in the store, the requests of crawlers from `urlset logs`, and
    what search engines report from `urlset coverage import` and `urlset coverage inspect`. What is not known is left
    blank, and never counts as no.""",
    details="""With google, requests count as fetched if they are of Googlebot, according to their user agent, and not
    known to be of an impostor. A crawl that the search engine reports counts, too.

    With --clock, it estimates how many days pass until 25%, 50%, 75%, and 90% of new and changed pages are requested by
    the crawler, indexed, and shown in results, by section and template. If something changed between two audits or two
    reports, its date is an interval. The estimate includes pages that still wait. Days without access logs are unknown.
    Groups of fewer than 8 pages have no times.""",
    examples=(
        "urlset coverage import example.com-Coverage-Drilldown-2026-11-20.zip",
        "urlset coverage",
        "urlset coverage --by section --format csv",
        "urlset coverage --clock",
    ),
    exit_status="0 shown; 1 findings at or above --fail-on; 2 usage or configuration error; 3 the store could not be "
    "read; 4 internal error.",
    commands={"diff": DIFF, "import": IMPORT, "inspect": INSPECT, "impressions": IMPRESSIONS, "sitemaps": SITEMAPS},
)
