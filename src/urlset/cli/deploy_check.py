"""`urlset deploy-check`: compare a built directory with what its site serves."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.cli.command import CommandSpec
from urlset.cli.deliver import DeliveryOptions, check_report, deliver, examples_to_keep
from urlset.cli.show import format_option
from urlset.errors import ExitCode
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Text, option_group, required
from urlset.options.deployment import DeployCheckOptions
from urlset.report.formats import OUTPUTS, Form

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.model.report import Report
    from urlset.model.report_page import Page
    from urlset.options.resolve import ResolvedOptions
    from urlset.report.style import Style


class DeployFormat(StrEnum):
    """The formats of findings, and a comment on a pull request."""

    TEXT = Form.TEXT.value
    CONCISE = Form.CONCISE.value
    JSON = Form.JSON.value
    JSONL = Form.JSONL.value
    CSV = Form.CSV.value
    MARKDOWN = Form.MARKDOWN.value
    PR = "pr"
    SARIF = Form.SARIF.value
    JUNIT = Form.JUNIT.value
    GITHUB = Form.GITHUB.value
    GITLAB = Form.GITLAB.value
    LLM = Form.LLM.value
    NONE = Form.NONE.value


@option_group(panel=Panel.TARGETS, faces=COMMAND_LINE)
class Options(DeployCheckOptions, DeliveryOptions, ConfiguringOptions):
    """Options of `urlset deploy-check`."""

    format: DeployFormat = format_option(DeployFormat.TEXT)
    folder: Path = required(OptionFacts(help="The directory that was built", metavar="DIR", positional=True))
    deployed: Text = required(
        OptionFacts(has_user=True, help="The URL at which it is served", metavar="URL", positional=True)
    )


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.progress_bar import ProgressBar
    from urlset.pipeline.deploy_check import deploy_check
    from urlset.stages.ruleset import check_rules

    options = configuration.options
    check_report(options)
    check_rules(configuration)
    check_options = replace(options, max_examples=examples_to_keep(options, options.max_examples))
    with ProgressBar() as progress:
        result = deploy_check(options.folder, options.deployed, check_options, progress)

    def show(report: Report, output: Output, style: Style) -> bool:
        """Write the formats that have more than the findings."""
        if options.format in OUTPUTS["deploy-check"].formats:
            output.show("deploy-check", options.format, structs.replace(result, report=report), style)
        return options.format in OUTPUTS["deploy-check"].formats

    def page(report: Report) -> Page:
        from urlset.pipeline.report_page import page_of_report

        return page_of_report((result.site,), report)

    code = deliver(
        result.report,
        options,
        form=options.format,
        max_examples=options.max_examples,
        show=show,
        page=page,
        text_has_messages=False,
    )
    return ExitCode.INTERRUPTED if result.interrupted else code


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Compare a built directory with what its site serves, for use straight after a deployment.

    Pages, robots.txt, sitemaps, feeds, and llms.txt of the directory are requested from the site, past the HTTP cache,
    and compared: status, redirects, noindex, canonical links, content type, title, and main text of pages, and the
    content of files. Each difference names its cause, if there is evidence for one: a CDN, a fallback page, a login, a
    cache, or, with --store, the earlier build that is served.""",
    details="""Minification, obfuscated e-mail addresses, and changed line breaks are not differences. URLs that are
    refused to urlset (401, 403, 429, challenges) or that fail are counted, but not compared. Each differing URL is
    requested again with an unused query, to tell a cache from its origin.

    The directory is read as its host would serve it (--host), with its redirects and headers. robots.txt does not
    restrict the requests: use this for your own sites.

    --wait retries differing URLs until they match or the time is up. The result applies to this machine at this time;
    other clients may get other responses. See docs/how-to/check-a-deployment.md.""",
    examples=(
        "urlset deploy-check dist/ https://www.example.com",
        "urlset deploy-check dist/ https://www.example.com --wait 120 --store urlset.duckdb",
        "urlset deploy-check dist/ https://www.example.com --sample 200 --assets",
        "urlset deploy-check dist/ https://www.example.com --format pr --output sarif:deploy.sarif",
    ),
    exit_status="0 no findings at or above --fail-on; 1 findings; 2 usage or configuration error; 3 the directory has "
    "no pages, or nothing could be compared; 4 internal error; 130 interrupted; the report is partial.",
)
