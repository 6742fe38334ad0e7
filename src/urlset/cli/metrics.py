"""`urlset metrics`: print the last round of each monitored site as OpenMetrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import StoreOptions
from urlset.errors import ExitCode
from urlset.options.declare import option_group

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(StoreOptions):
    """Options of `urlset metrics`."""


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.pipeline.monitor import metrics

    Output().write(metrics(configuration.options.store).splitlines())
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Print the last round of each site that `urlset monitor` checks as OpenMetrics, for Prometheus.

    With `metrics` in its file, `urlset monitor` writes the same to a file after each round.""",
    examples=("urlset metrics", "urlset metrics monitor.duckdb > /var/lib/node_exporter/urlset.prom"),
    exit_status="0 printed, 2 usage error, 3 the store cannot be read or has no rounds, 4 internal error.",
)
