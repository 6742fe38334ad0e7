"""`urlset validate`: check sitemaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.deliver import JudgedOptions, check_report, deliver, enough_examples
from urlset.cli.show import TargetOptions
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import option_group
from urlset.options.verbs import ValidateOptions

if TYPE_CHECKING:
    from urlset.errors import ExitCode
    from urlset.options.resolve import Resolved


@option_group
class Options(TargetOptions, ValidateOptions, JudgedOptions, ConfiguringOptions):
    """Options of `urlset validate`."""


def run(resolved: Resolved[Options]) -> ExitCode:
    """Validate the targets and report."""
    from urlset.cli.progress import ProgressBar
    from urlset.pipeline.ruleset import check_rules
    from urlset.pipeline.validate import validate

    options = resolved.options
    check_report(options)
    check_rules(resolved)
    asked = enough_examples(options)
    if options.report is None:
        with ProgressBar() as progress:
            report = validate(options.targets, asked, progress)
        return deliver(report, options, max_examples=options.max_examples)
    from urlset.pipeline.report_page import ForPage
    from urlset.scratch import Scratch

    with Scratch() as scratch:
        kept = ForPage(scratch)
        with ProgressBar() as progress:
            report = kept.validate(options.targets, asked, progress)
        return deliver(report, options, max_examples=options.max_examples, page=kept.page)


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Check sitemaps against the protocol and search engine requirements.

    Each finding shows the rule, where it occurs, how often, and how to fix it. The same problem in 50,000 entries is
    one finding with that count.

    TARGET is a file, a directory, an http(s) URL, or - for standard input. XML, text, RSS and Atom sitemaps are
    detected by content, gzipped or not. Targets that cannot be read are reported on standard error; the others are
    still checked.

    --discover finds the sitemaps of each site and reads its robots.txt, and --expand follows sitemap indexes; a sitemap
    there that cannot be fetched is a finding, at the line that lists it. --robots reads robots.txt of the targets' own
    hosts only.

    Options can also be set in urlset.toml or in [tool.urlset] of pyproject.toml; the command line takes precedence.
    `urlset config` shows the options in force.""",
    examples=(
        "urlset validate sitemap.xml",
        "urlset validate https://example.com/sitemap.xml --fail-on warning",
        "urlset validate example.com --discover --expand --report report.html",
        "urlset validate public/ --ignore HNT,LOC003 --format concise",
        "curl -s https://example.com/sitemap.xml | urlset validate - --format json",
        "urlset validate public/ --format github --output urlset.sarif --output junit:reports/urlset.xml",
    ),
    exit_status="0 clean; 1 findings at or above --fail-on; 2 usage or configuration error; 3 a target could not be "
    "read; 4 internal error.",
)
