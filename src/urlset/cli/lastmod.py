"""`urlset lastmod`: show how many lastmod dates of each sitemap are true."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, format_option
from urlset.errors import ExitCode, UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Text, option_group, required
from urlset.options.probing import ProbingOptions
from urlset.options.storing import StoringOptions
from urlset.options.trusting import LastmodOptions

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


class DatesFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    CSV = "csv"


@option_group
class Options(LastmodOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset lastmod`."""

    target: Text = required(
        OptionFacts(
            has_user=True,
            help="A run of a store, or a site or sitemap to audit",
            panel=Panel.TARGETS,
            metavar="SITE|STORE",
            faces=COMMAND_LINE,
            positional=True,
        )
    )
    format: DatesFormat = format_option(DatesFormat.TEXT)


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output, complain
    from urlset.cli.progress_bar import ProgressBar
    from urlset.errors import exit_code_for
    from urlset.pipeline.lastmod import lastmod
    from urlset.stages.ruleset import check_rules

    options = configuration.options
    check_rules(configuration)
    _check_stored(configuration)
    with ProgressBar() as progress:
        dates = lastmod(options.target, options, progress)
    for sitemap in (*dates.unreadable, *dates.missing):
        complain(f"{sitemap.target}: {sitemap.reason}")
    output = Output(options.color)
    output.show("lastmod", options.format, dates, output.style)
    if dates.unreadable:
        return exit_code_for(sitemap.reason for sitemap in dates.unreadable)
    return ExitCode.FINDINGS if dates.fails(options.min_trust) else ExitCode.CLEAN


def _check_stored(configuration: ResolvedOptions[Options]) -> None:
    """Check that no option on fetching pages is given with a store, where it would have no effect."""
    from urlset.comparison.sides import store_of
    from urlset.options.declare import options_of

    fetching = {option.name: option for group in (ProbingOptions, StoringOptions) for option in options_of(group)}
    useless = sorted(fetching.keys() & configuration.explicit.keys())
    if useless and store_of(configuration.options.target) is not None:
        raise UsageError(
            f"{fetching[useless[0]].spelling} has no effect on a run that is stored; name a site to audit it"
        )


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show how many lastmod dates of each sitemap are true, inflated, frozen, or unknown.

    A date is inflated if it is newer than the last change of its page, and frozen if it is older.

    STORE is a store that `urlset audit` wrote: FILE.duckdb for its newest complete run, FILE.duckdb@3 for run 3. SITE
    is a site or sitemap, which is first audited into the store of --store.""",
    details="""A date is compared with what the run knows about its page. It is inflated if it moved since the previous
    run although the content is the same, if it is newer than the page's own date, if it is in the future, or if all
    dates of its sitemap are the time of the request. It is frozen if it did not move although the content changed, or
    if it is older than the page's own date. It is true if date and content both changed, or if it agrees with the
    page's own date. Everything else is unknown: pages that were not fetched, and pages that state no date and did not
    change.

    Trust is the share of true dates among those that are true, inflated, or frozen. With fewer than 30 of them, there
    is not enough to tell. If the store has access logs, the report also counts the pages that each crawler requested
    after their lastmod.""",
    examples=(
        "urlset lastmod urlset.duckdb",
        "urlset lastmod example.com --sample 1000",
        "urlset lastmod urlset.duckdb@3 --min-trust 0.9",
        "urlset lastmod urlset.duckdb --format csv",
    ),
    exit_status="0 trust is at least --min-trust, or there is not enough to tell; 1 trust is lower, in total or in a "
    "sitemap; 2 usage or configuration error; 3 a target could not be read; 4 internal error.",
)
