"""`urlset serve`: the workbench, a store in the browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.cli.command import CommandSpec
from urlset.cli.output import complain
from urlset.cli.show import StoreOptions
from urlset.errors import ExitCode, UsageError, requiring_extra
from urlset.net.origin import origin_of
from urlset.net.urlparts import split_url
from urlset.options.auditing import AuditOptions
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, Natural, OptionFacts, Panel, PositiveNumber, Text, option, option_group
from urlset.options.fetching import ca_bundle_option, proxy_option
from urlset.options.reporting import BaselineOptions
from urlset.options.resolve import DEFAULT
from urlset.stages.ruleset import check_rules
from urlset.text.sizes import inflect

if TYPE_CHECKING:
    from urlset.net.origin import Origin
    from urlset.net.trust import HeaderPairs
    from urlset.options.resolve import ResolvedOptions

MAX_PORT = 65_535


@option_group(panel=Panel.NETWORK, faces=COMMAND_LINE)
class Options(StoreOptions, BaselineOptions, ConfiguringOptions):
    """Options of `urlset serve`."""

    port: Natural = option(
        8080,
        OptionFacts(help="Port to listen on; 0 for any free one", metavar="PORT"),
    )
    address: Text = option(
        "127.0.0.1",
        OptionFacts(
            help="Address to listen on; any other than loopback requires a token, which is printed once",
            metavar="ADDRESS",
        ),
    )
    name: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Host name under which browsers reach the server; can be repeated",
            metavar="NAME",
        ),
    )
    allow_private: bool = option(
        False,
        OptionFacts(
            help="Let audits that are started in the browser request private addresses",
        ),
    )
    header: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Send a header to a single origin in audits that are started in the browser; can be repeated",
            metavar="'ORIGIN=NAME: VALUE'",
            secret=True,
        ),
    )
    auth: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Authenticate to a single origin in these audits; can be repeated",
            metavar="ORIGIN=USER:PASSWORD",
            secret=True,
        ),
    )
    # Only the command line decides where credentials go, and not a configuration file.
    proxy: Text | None = proxy_option(COMMAND_LINE)
    ca_bundle: Path | None = ca_bundle_option(COMMAND_LINE)
    max_job_time: PositiveNumber = option(
        6 * 3600.0,
        OptionFacts(help="Stop an audit after SECONDS", metavar="SECONDS"),
    )

    def check(self) -> None:
        """Check the port and the credentials.

        Raises:
            UsageError: There is no such port, or credentials are not for an origin.
        """
        if self.port > MAX_PORT:
            raise UsageError(f"--port: must be at most {MAX_PORT:,}")
        self.headers_by_origin()

    def headers_by_origin(self) -> dict[Origin, HeaderPairs]:
        """Return the headers with credentials, by the origin that receives them.

        Raises:
            UsageError: Credentials are invalid, or not for an origin. The message does not show them.
        """
        from urlset.fetch.secrets import basic
        from urlset.options.fetching import FetchingOptions

        headers: dict[Origin, HeaderPairs] = {}
        for text in self.header:
            origin, rest = _for_origin(text, "--header", "'ORIGIN=NAME: VALUE'")
            headers[origin] = headers.get(origin, ()) + FetchingOptions(header=(rest,)).headers
        for text in self.auth:
            origin, rest = _for_origin(text, "--auth", "ORIGIN=USER:PASSWORD")
            if any(name.lower() == "authorization" for name, _ in headers.get(origin, ())):
                raise UsageError(f"--auth: {origin.url} would receive two Authorization headers; give one of them")
            FetchingOptions(auth=rest)  # which checks it
            headers[origin] = (*headers.get(origin, ()), ("Authorization", basic(rest)))
        return headers


def _for_origin(text: str, name: str, form: str) -> tuple[Origin, str]:
    """Return the origin that credentials are for, and the rest of the text.

    Raises:
        UsageError: The text does not begin with an origin.
    """
    place, sign, rest = text.partition("=")
    origin, (_, _, path, query, fragment) = origin_of(place), split_url(place)
    if not sign or origin is None or "@" in place or path not in ("", "/") or query or fragment:
        raise UsageError(f"{name}: must be written as {form}, with an origin such as https://example.com")
    return origin, rest.strip()


def _auditing(configuration: ResolvedOptions[Options]) -> AuditOptions:
    """Return the options of audits, which the configuration sets, except for reachable addresses and credentials.

    A browser names their targets, so these options are only read from the command line.
    """
    options, resolved = configuration.options, configuration.of(AuditOptions)
    reach = [one for one in resolved.in_force if one.option.facts.secret or one.option.facts.guards_secrets]
    if unused := [one.option.setting for one in reach if one.origin != DEFAULT]:
        assert configuration.file is not None
        complain(
            f"{configuration.file.where}: {', '.join(unused)} {inflect(len(unused), 'is', 'are')} not used by `urlset "
            "serve`: only the command line decides which addresses browsers can reach, and with which credentials; see "
            "`urlset serve --help`"
        )
    check_rules(resolved)
    own: dict[str, Any] = {one.option.name: one.option.default for one in reach}
    own |= {"store": Path("unused"), "proxy": options.proxy, "ca_bundle": options.ca_bundle}
    return replace(resolved.options, **own)


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.outputs import own_beside
    from urlset.engine.run_folder import is_run_folder
    from urlset.objects.object_address import original_url

    with requiring_extra("serve", "the workbench requires"):
        from urlset.serve.app import Place, serve
    from urlset.serve.jobs import Limits

    options, auditing = configuration.options, _auditing(configuration)
    if original_url(str(options.store)) is not None:
        raise UsageError(f"{options.store}: a store must be a local file; copy it from the object store")
    if is_run_folder(options.store):
        raise UsageError(f"{options.store}: is a run as a folder, which is never changed; name a DuckDB file")
    if not options.store.absolute().parent.is_dir():
        raise UsageError(f"{options.store}: the directory does not exist")
    baseline = options.baseline or own_beside(options.store, ".baseline.json", "--baseline")
    serve(
        Place(options.address, options.port, options.name),
        # A job replaces the file, and not a link to it.
        options.store.resolve(),
        baseline.absolute(),
        auditing,
        Limits(options.allow_private, options.max_job_time, options.headers_by_origin()),
    )
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Open a store in the browser: start audits, and see what cannot be indexed and why.

    The address of the workbench is printed. It shows the runs of STORE, compares them, accepts findings into a
    baseline, and queries all tables. An audit of a site or of uploaded files is a job, which can be canceled and
    resumed. If the server is killed, the next one shows unfinished jobs, which you can resume.""",
    details="""The server listens on the loopback network. On another --address, browsers need the token in the printed
    URL. Audits can request public addresses and the origins that --header or --auth names; with --allow-private, also
    private addresses. Only the named origins receive credentials. The configuration cannot change this.

    While the server runs, other programs can read STORE, and cannot write it. Jobs are in a directory next to it,
    STORE.serve.

    Requires the extra `urlset[serve]`.""",
    examples=("urlset serve", "urlset serve audits.duckdb --port 9000"),
    exit_status="0 the server was stopped, 130 with Ctrl-C, 2 usage or configuration error, 3 the store cannot be "
    "opened, 4 internal error.",
)
