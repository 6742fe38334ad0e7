"""`urlset prune`: delete old runs of each site in a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import StoreOptions, deletion
from urlset.errors import ExitCode
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Positive, option_group, required

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(StoreOptions):
    """Options of `urlset prune`."""

    keep: Positive = required(
        OptionFacts(help="Finished runs to keep of each site", panel=Panel.STORE, metavar="N", faces=COMMAND_LINE)
    )


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.pipeline.monitor import prune_runs

    options = configuration.options
    Output().write([deletion(prune_runs(options.store, options.keep))])
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Delete all but the newest N finished runs of each site in a store.

    An unfinished run is deleted, unless it is newer than all finished runs of its site, so that it can be resumed.
    `urlset history --keep` keeps the newest runs of the store instead, whatever their sites. Later runs reuse the
    space; the file does not shrink.""",
    examples=("urlset prune --keep 30", "urlset prune monitor.duckdb --keep 30"),
    exit_status="0 done, 2 usage error, 3 the store cannot be read or written, 4 internal error.",
)
