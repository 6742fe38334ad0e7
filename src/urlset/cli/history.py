"""`urlset history`: list and delete the runs in a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, Format, StoreOptions, deletion, format_option
from urlset.errors import ExitCode
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Positive, option, option_group

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group(panel=Panel.STORE, faces=COMMAND_LINE)
class Options(StoreOptions, ColorOptions):
    """Options of `urlset history`."""

    keep: Positive | None = option(
        None,
        OptionFacts(help="Delete all but the newest N runs first", metavar="N"),
    )
    delete: tuple[Positive, ...] = option(
        (),
        OptionFacts(help="Delete run N first; can be repeated", metavar="N", commas=True),
    )
    format: Format = format_option(Format.TEXT)


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset import api
    from urlset.cli.output import Output, complain

    options = configuration.options
    before = api.history(options.store)
    runs = before
    if options.keep is not None or options.delete:
        runs = api.history(options.store, keep=options.keep, delete=options.delete)
        complain(deletion(sorted({run.run_id for run in before} - {run.run_id for run in runs})))
    output = Output(options.color)
    output.show("history", options.format, runs, output.style)
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""List the runs in a store with their numbers, oldest first.

    A run without an end was interrupted, or is still running: its numbers are those of what it has read so far. A run
    that could not read any sitemap is not saved. Later runs reuse the space of deleted ones; the file does
    not shrink.""",
    examples=(
        "urlset history",
        "urlset history audits.duckdb --format json",
        "urlset history audits.duckdb --keep 30",
        "urlset history audits.duckdb --delete 4,7",
    ),
)
