"""`urlset monitor`: check sites regularly, and tell only what is new."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, Format, format_option
from urlset.errors import ExitCode, UsageError, exit_code_for
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Text, option, option_group

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions

DEFAULT_FILE = Path("monitor.toml")

STARTER = """\
# The sites that `urlset monitor` checks, and where it sends alarms. Start `urlset monitor` in this directory regularly,
# with cron, a timer, or CI: it checks the sites that are due. All keys: docs/how-to/monitor.md

[[site]]
url = "https://www.example.com" # your site
every = "1d"

# To get alarms outside of the terminal, remove the # from one of these:

# [[webhook]]
# url = "https://hooks.example.com/urlset"

# [issue]
# project = "https://github.com/acme/site"
# token-env = "URLSET_ISSUE_TOKEN"
"""


@option_group(panel=Panel.TARGETS, faces=COMMAND_LINE)
class Options(ColorOptions):
    """Options of `urlset monitor`."""

    file: Path = option(
        DEFAULT_FILE,
        OptionFacts(
            help="File with the sites, what to check, and whom to tell",
            metavar="FILE",
            positional=True,
        ),
    )
    force: bool = option(
        False,
        OptionFacts(help="Check every site, also those that are not due"),
    )
    env: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Environment variable without the prefix URLSET_ that FILE may name; can be repeated",
            metavar="NAME",
        ),
    )
    init: bool = option(False, OptionFacts(help="Print a file to start with, and exit", panel=Panel.OUTPUT))
    print_timer: bool = option(
        False, OptionFacts(help="Print a systemd service and timer, and exit", panel=Panel.OUTPUT)
    )
    print_workflow: bool = option(
        False, OptionFacts(help="Print a GitHub Actions workflow, and exit", panel=Panel.OUTPUT)
    )
    format: Format = format_option(Format.TEXT)

    def check(self) -> None:
        """Check that there is one task.

        Raises:
            UsageError: Two files were requested.
        """
        tasks = {"--init": self.init, "--print-timer": self.print_timer, "--print-workflow": self.print_workflow}
        asked = [name for name, is_asked in tasks.items() if is_asked]
        if len(asked) > 1:
            raise UsageError(f"{asked[0]} and {asked[1]} cannot be combined")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output, complain
    from urlset.cli.progress_bar import ProgressBar
    from urlset.options.configuration_file import why_not_found
    from urlset.options.monitoring import load_monitor

    options = configuration.options
    if options.init:
        Output(options.color).write(STARTER.splitlines())
        return ExitCode.CLEAN
    if "file" not in configuration.explicit and not options.file.exists():
        raise UsageError(f"no {DEFAULT_FILE} here; to start one, run: urlset monitor --init > {DEFAULT_FILE}")
    if "file" not in configuration.explicit:
        way_out = f"to use it, run: urlset monitor {DEFAULT_FILE}"
        if (refusal := why_not_found(options.file, Path.cwd(), way_out)) is not None:
            raise UsageError(refusal)
        if not options.file.is_file():
            raise UsageError(f"{options.file}: not a regular file; {way_out}")
    plan = load_monitor(options.file, options.env)
    output = Output(options.color)
    if options.print_timer or options.print_workflow:
        from urlset.monitor.schedules import timer, workflow

        output.write(timer(plan) if options.print_timer else workflow(plan))
        return ExitCode.CLEAN
    from urlset.pipeline.monitor import monitor

    with ProgressBar() as progress:
        result = monitor(plan, is_forced=options.force, progress=progress)
    output.show("monitor", options.format, result, output.style)
    for sink, problem in result.undelivered.items():
        complain(f"{sink}: {problem}; what was not sent is kept, and sent again in the next round")
    for sink, problem in result.refused.items():
        complain(f"{sink}: {problem}; not sent again, since the next message has all alarms that are open")
    if any(site.opened for site in result.sites):
        return ExitCode.FINDINGS
    problems = [site.problem for site in result.sites if site.problem is not None]
    return exit_code_for([*problems, *result.undelivered.values(), *result.refused.values()])


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Check the sites of FILE that are due, and tell only what is new. Run it with cron, a systemd timer, or CI.

    An alarm is opened once, never repeated, and closed once: pages that stopped being indexable, a robots.txt with
    another meaning, sitemaps that no longer answer, more removed URLs than usual, dates that no longer advance, new
    findings, and, with reports and access logs in the store, pages that are no longer indexed or crawled. The first
    round of a site has nothing to compare with, and takes its findings as known.""",
    details="""What is usual comes from the history of each site once it has eight values; plain rules apply before.
    URLs count as removed if two rounds in a row do not list them. A round that reached a limit is never compared with.

    FILE also names where to send alarms: webhooks with signed JSON, the services of Apprise, an issue on GitHub or
    GitLab, an Atom feed, and a file of OpenMetrics. Messages that cannot be sent are sent again in the next round. A
    store of another user is refused; a monitor.toml of another user is used only if you name it. See
    docs/how-to/monitor.md.""",
    examples=(
        "urlset monitor --init > monitor.toml",
        "urlset monitor",
        "urlset monitor monitor.toml --force",
        "urlset monitor monitor.toml --print-timer",
        "urlset monitor monitor.toml --print-workflow > .github/workflows/monitor.yml",
    ),
    exit_status="0 nothing new, 1 an alarm was opened, 2 FILE or an option is wrong, 3 another round is running, the "
    "disk is full, or a message could not be sent, 4 internal error.",
)
