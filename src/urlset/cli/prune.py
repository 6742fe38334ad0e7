"""`urlset prune`: delete old runs of each site in a store."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import StoreOptions, deletion
from urlset.errors import ExitCode
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Positive, Text, option, option_group, required
from urlset.options.values import earlier_time
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(StoreOptions):
    """Options of `urlset prune`."""

    keep: Positive = required(
        OptionFacts(help="Finished runs to keep of each site", panel=Panel.STORE, metavar="N", faces=COMMAND_LINE)
    )
    ledger: Text | None = option(
        None,
        OptionFacts(
            help="Also delete dates of pages before this date, or older than this period, such as 400d",
            panel=Panel.STORE,
            metavar="WHEN",
            faces=COMMAND_LINE,
        ),
    )

    def check(self) -> None:
        if self.ledger is not None:
            earlier_time("ledger", self.ledger, datetime.now(UTC))


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.pipeline.monitor import prune_dates, prune_runs

    options = configuration.options
    lines = [deletion(prune_runs(options.store, options.keep))]
    if options.ledger is not None:
        start = earlier_time("ledger", options.ledger, datetime.now(UTC))
        lines.append(
            f"deleted {quantity(prune_dates(options.store, start), 'date')} of pages from before {start:%Y-%m-%d}"
        )
    Output().write(lines)
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Delete all but the newest N finished runs of each site in a store.

    An unfinished run is deleted, unless it is newer than all finished runs of its site, so that it can be resumed.
    The store keeps the dates of the pages of deleted runs: when their text, lastmod, and index state changed. --ledger
    deletes those, and old requests of crawlers and reports of search engines, too. `urlset history --keep` keeps the
    newest runs of the store instead, whatever their sites. Later runs reuse the space; the file does not shrink.""",
    examples=(
        "urlset prune --keep 30",
        "urlset prune monitor.duckdb --keep 30",
        "urlset prune --keep 30 --ledger 400d",
    ),
    exit_status="0 done, 2 usage error, 3 the store cannot be read or written, 4 internal error.",
)
