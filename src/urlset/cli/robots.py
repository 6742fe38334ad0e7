"""`urlset robots`: show a robots.txt, which crawlers can fetch which URLs, and which line decides."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, format_option, output_option
from urlset.errors import ExitCode, UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Text, option, option_group
from urlset.options.verbs import PolicyOptions, WritePolicyOptions
from urlset.text.safe import safe

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.model.policy import PolicyFile
    from urlset.options.resolve import ResolvedOptions


class RobotsFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    LLM = "llm"


@option_group(panel=Panel.TARGETS, faces=COMMAND_LINE)
class Options(PolicyOptions, WritePolicyOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset robots`."""

    target: Text | None = option(
        None,
        OptionFacts(
            has_user=True,
            help="A robots.txt: a file or its directory, - for standard input, its URL, or any URL of its site",
            metavar="TARGET",
            positional=True,
        ),
    )
    urls: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="URLs or paths to check",
            metavar="URL",
            positional=True,
        ),
    )
    urls_from: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Check every URL of this sitemap or list of URLs; can be repeated",
            metavar="SITEMAP",
        ),
    )
    list_agents: bool = output_option(
        False, "List the crawlers that urlset knows, with the documentation of each, instead of a robots.txt"
    )
    policy: bool = output_option(
        False, "Compare what the site declares to AI crawlers and search engines with what it answers, in one table"
    )
    write_policy: bool = output_option(
        False, "Write the [policy] of urlset.toml into the robots.txt, after showing which verdicts change"
    )
    format: RobotsFormat = format_option(RobotsFormat.TEXT)
    verbose: bool = output_option(False, "Also show the rules if URLs are checked", short="v")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.pipeline.robots import robots
    from urlset.web.agents import KNOWN_AGENTS
    from urlset.web.robots_txt import Availability

    options = configuration.options
    kinds = {"--list-agents": options.list_agents, "--policy": options.policy, "--write-policy": options.write_policy}
    kind = next((option for option, is_given in kinds.items() if is_given), None)
    if kind is not None and options.format is RobotsFormat.LLM:
        raise UsageError(f"--format llm shows a robots.txt, and {kind} does not; use text or json")
    output = Output(options.color)
    if options.list_agents:
        if options.target is not None:
            raise UsageError("--list-agents reads no robots.txt; remove the target")
        output.show("agents", options.format, KNOWN_AGENTS, output.style)
        return ExitCode.CLEAN
    if options.target is None:
        raise UsageError("no target given; name a robots.txt or a site, or use --list-agents")
    if options.policy and options.write_policy:
        raise UsageError("--policy and --write-policy cannot be combined; use one of them")
    if options.dry_run and not options.write_policy:
        raise UsageError("--dry-run requires --write-policy")
    if (options.clients or options.store is not None) and not options.policy:
        raise UsageError("--clients and --store require --policy")
    if options.policy:
        return _run_policy(options, options.target, output)
    if options.write_policy:
        return _run_write_policy(options, options.target, output)
    report = robots(options.target, options.urls, options, options.urls_from)
    output.show("robots", options.format, report, replace(output.style, verbose=options.verbose))
    if report.robots.availability is Availability.UNREACHABLE:
        return ExitCode.UNREADABLE
    return ExitCode.FINDINGS if report.forbids else ExitCode.CLEAN


def _run_policy(options: Options, target: str, output: Output) -> ExitCode:
    from urlset.cli.progress_bar import ProgressBar
    from urlset.pipeline.policy import policy
    from urlset.web.robots_txt import Availability

    if options.urls or options.urls_from:
        raise UsageError("--policy compares one address; remove the URLs and --urls-from")
    with ProgressBar() as progress:
        report = policy(target, options, progress)
    output.show("robots --policy", options.format, report, replace(output.style, verbose=options.verbose))
    is_unread = report.availability == Availability.UNREACHABLE
    return ExitCode.UNREADABLE if is_unread else ExitCode.CLEAN


def _run_write_policy(options: Options, target: str, output: Output) -> ExitCode:
    from urlset.pipeline.write_policy import write_policy

    def show(planned: PolicyFile) -> None:
        output.show("robots --write-policy", options.format, planned, replace(output.style, verbose=options.verbose))

    written = write_policy(target, options.urls, options, options.urls_from, show)
    if options.dry_run:
        return ExitCode.FINDINGS if written.is_changed else ExitCode.CLEAN
    if options.format is RobotsFormat.TEXT and written.is_changed:
        output.write([f"Wrote {safe(written.path)}."])
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show a robots.txt, and which crawlers can fetch which URLs, with the line that decides (RFC 9309).

    A robots.txt that does not exist allows everything. Without --agents, it shows Googlebot and Bingbot, and how many
    of the other known crawlers are blocked, by purpose: search, AI search, AI training, on request of a user, and other
    services. With --agents or --all-agents, it shows each of these crawlers, by purpose.

    With --policy, it shows for each crawler, by operator and purpose, what the site declares: robots.txt,
    Content-Signal, Content-Usage, RSL licenses, X-Robots-Tag, and llms.txt. With --clients, it also asks for the
    address once under the user agent of each crawler, one request a second unless --rate says otherwise, and shows what
    is answered; use it for your own sites. With --store, it adds the verified requests in the access logs that `urlset
    logs` has read. Contradictions are infos, and do not change the exit status.

    With --write-policy, it writes the table [policy] of urlset.toml into the robots.txt, between two markers: groups
    for the crawlers of each operator, and a Content-Signal line. It first shows the verdicts that change, and refuses
    to write lines that would change the rules of any other crawler.""",
    examples=(
        "urlset robots https://example.com",
        "urlset robots https://example.com https://example.com/search?q=a --agents Googlebot,GPTBot",
        "urlset robots public/robots.txt /cart/ --all-agents",
        "urlset robots public/robots.txt --urls-from public/sitemap.xml",
        "urlset robots https://example.com --policy --clients --store urlset.duckdb",
        "urlset robots public --write-policy --set policy.training=no --dry-run",
        "urlset robots --list-agents",
    ),
    exit_status="0 every URL is allowed for every crawler checked, or --write-policy succeeded; 1 a URL is disallowed, "
    "or --write-policy --dry-run would change the file; 2 usage or configuration "
    "error; 3 robots.txt could not be read; 4 internal error.",
)
