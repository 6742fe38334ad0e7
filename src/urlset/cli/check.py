"""`urlset check`: score the sitemaps of sites."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.origins import OriginOptions, origins_of
from urlset.cli.show import ColorOptions, PageOptions, format_option, output_option
from urlset.errors import ExitCode, UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.coverage import ClientsOptions
from urlset.options.declare import option_group

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


class CheckFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    LLM = "llm"


class CheckFailOn(StrEnum):
    FAIL = "fail"
    WARN = "warn"


@option_group
class Options(OriginOptions, ClientsOptions, PageOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset check`."""

    format: CheckFormat = format_option(CheckFormat.TEXT)
    fail_on: CheckFailOn = output_option(CheckFailOn.FAIL, "Lowest status that fails: fail or warn", "STATUS")
    badge: Path | None = output_option(None, "Also write an SVG badge, for a single origin", "FILE")
    clients: bool = output_option(
        False, "Ask for one address as crawlers do, and say what stops them; for your own sites"
    )
    verbose: bool = output_option(False, "Show all evidence, and all steps of sites that pass", short="v")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.cli.outputs import as_file, check_place, write_page
    from urlset.cli.progress_bar import ProgressBar
    from urlset.errors import exit_code_for
    from urlset.files.publish import publish
    from urlset.model.specification import Status
    from urlset.pipeline.check import check
    from urlset.report.formats import render

    options = configuration.options
    origins = origins_of(options)
    if options.clients:
        return _run_clients(options, origins)
    if options.credentials is not None or options.bing_key is not None or options.store is not None:
        raise UsageError("--credentials, --bing-key, and --store require --clients")
    output = Output(options.color)
    if options.badge is not None:
        if len(origins) != 1:
            raise UsageError(f"--badge requires exactly one origin, not {len(origins)}")
        check_place(options.badge)
    if options.report is not None:
        check_place(options.report)
    with ProgressBar() as progress:
        results = check(origins, options, progress)
    unreachable = [result for result in results if result.discovery.unreachable is not None]
    messages = (f"{result.origin}: {result.discovery.unreachable}" for result in unreachable)
    output.complain(messages, has_messages=options.format is CheckFormat.TEXT)
    style = replace(output.style, several=len(origins) > 1 or options.origins_from is not None, verbose=options.verbose)
    output.show("check", options.format, results, style)
    if options.badge is not None:
        publish(options.badge, as_file(render("check", "badge", results)))
    if options.report is not None:
        from urlset.pipeline.report_page import page_of_checks

        write_page(page_of_checks(results), options.report, opens=options.open)
    if unreachable:
        return exit_code_for(result.discovery.unreachable or "" for result in unreachable)
    failing = {Status.FAIL} if options.fail_on is CheckFailOn.FAIL else {Status.FAIL, Status.WARN}
    return ExitCode.FINDINGS if any(result.status in failing for result in results) else ExitCode.CLEAN


def _run_clients(options: Options, origins: list[str]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.cli.progress_bar import ProgressBar
    from urlset.pipeline.clients import check_clients

    if len(origins) != 1 or options.origins_from is not None:
        raise UsageError("--clients requires exactly one address: a sitemap, a page, or a site")
    if options.badge is not None or options.report is not None:
        raise UsageError("--clients has no badge and no report page")
    output = Output(options.color)
    with ProgressBar() as progress:
        result = check_clients(origins[0], options, progress)
    output.show("check --clients", options.format, result, replace(output.style, verbose=options.verbose))
    failing = ("fail",) if options.fail_on is CheckFailOn.FAIL else ("fail", "warn")
    return ExitCode.FINDINGS if result.status in failing else ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Score the sitemap of a site: whether it exists, can be fetched and parsed, and has valid fields and scope.

    This is the check `sitemap` 1.0.0 of the suite 2026.06.10: five steps, worth 100 points in total. It requests
    robots.txt, /sitemap.xml, /sitemap.txt, /sitemap_index.xml and /sitemap-index.xml only; a path in an origin is
    ignored. docs/check-specification.md describes each step.

    With --clients, it asks for one address about 20 times in the ways that crawlers ask, once a second unless --rate
    says otherwise: under their user agents, as HEAD, compressed or not, over IPv6 and HTTP/2. It says what stops them.
    Use it for your own sites. With --property and --credentials of Search Console, or --bing-key of Bing Webmaster
    Tools, it also says when the search engine read the sitemap last, and with --store, whether it has changed since.

    With one ORIGIN the JSON is one object; with several, or with --from, it is an array.""",
    examples=(
        "urlset check example.com",
        "urlset check https://example.com --fail-on warn --badge sitemap.svg",
        "urlset check --from sites.txt --format json",
        "urlset check https://example.com/sitemap.xml --clients",
    ),
    exit_status="0 every site passes or warns; 1 a site fails (see --fail-on); 2 usage or configuration error; "
    "3 a site could not be reached; 4 internal error.",
)
