"""`urlset serve`: the workbench, a store in the browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import StoreOptions
from urlset.errors import ExitCode, MissingExtraError, UsageError
from urlset.options.auditing import AuditOptions
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, Natural, OptionFacts, Panel, PositiveNumber, Text, option, option_group
from urlset.options.reporting import BaselineOptions

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions

MAX_PORT = 65_535


@option_group
class Options(StoreOptions, BaselineOptions, ConfiguringOptions):
    """Options of `urlset serve`."""

    port: Natural = option(
        8080,
        OptionFacts(
            help="Port to listen on; 0 for any free one", panel=Panel.NETWORK, metavar="PORT", faces=COMMAND_LINE
        ),
    )
    address: Text = option(
        "127.0.0.1",
        OptionFacts(
            help="Address to listen on; any other than loopback requires a token, which is printed once",
            panel=Panel.NETWORK,
            metavar="ADDRESS",
            faces=COMMAND_LINE,
        ),
    )
    name: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Host name under which browsers reach the server; can be repeated",
            panel=Panel.NETWORK,
            metavar="NAME",
            faces=COMMAND_LINE,
        ),
    )
    allow_private: bool = option(
        False,
        OptionFacts(
            help="Let audits that are started in the browser request private addresses",
            panel=Panel.NETWORK,
            faces=COMMAND_LINE,
        ),
    )
    max_job_time: PositiveNumber = option(
        6 * 3600.0,
        OptionFacts(help="Stop an audit after SECONDS", panel=Panel.NETWORK, metavar="SECONDS", faces=COMMAND_LINE),
    )

    def check(self) -> None:
        """Check the port.

        Raises:
            UsageError: There is no such port.
        """
        if self.port > MAX_PORT:
            raise UsageError(f"--port: must be at most {MAX_PORT:,}")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.engine.run_folder import is_run_folder
    from urlset.objects.address import original_url

    try:
        from urlset.serve.app import Place, serve
    except ImportError as error:
        raise MissingExtraError("the workbench requires an extra: pip install 'urlset[serve]'") from error
    from urlset.serve.jobs import Limits
    from urlset.stages.ruleset import check_rules

    auditing = configuration.of(AuditOptions)
    check_rules(auditing)
    options = configuration.options
    if original_url(str(options.store)) is not None:
        raise UsageError(f"{options.store}: a store must be a local file; copy it from the object store")
    if is_run_folder(options.store):
        raise UsageError(f"{options.store}: is a run as a folder, which is never changed; name a DuckDB file")
    if not options.store.absolute().parent.is_dir():
        raise UsageError(f"{options.store}: the directory does not exist")
    baseline = options.baseline or options.store.with_name(f"{options.store.stem}.baseline.json")
    serve(
        Place(options.address, options.port, options.name),
        options.store.absolute(),
        baseline.absolute(),
        replace(auditing.options, store=Path("unused")),
        Limits(options.allow_private, options.max_job_time),
    )
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Open a store in the browser: start audits, and see what cannot be indexed and why.

    The address of the workbench is printed. It shows the runs of STORE, compares them, accepts findings into a
    baseline, and queries all tables. An audit of a site or of uploaded files is a job, which can be canceled and
    resumed; the next server resumes what a killed one did not finish.""",
    details="""The server listens on the loopback network. On another --address, browsers need the token in the printed
    URL. Audits request public addresses only, and send no credentials of the configuration, unless --allow-private is
    set.

    While the server runs, other programs can read STORE, and cannot write it. Jobs are in a directory next to it,
    STORE.serve.

    Requires the extra `urlset[serve]`.""",
    examples=("urlset serve", "urlset serve audits.duckdb --port 9000"),
    exit_status="0 the server was stopped, 130 with Ctrl-C, 2 usage or configuration error, 3 the store cannot be "
    "opened, 4 internal error.",
)
