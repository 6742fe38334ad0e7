"""`urlset validate`: what is wrong with sitemaps, where, and how to mend it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from urlset.cli.configured import given_on_command_line
from urlset.cli.fetching import Reading, with_following_options
from urlset.cli.judging import Judging, with_judging_options
from urlset.cli.options import Targets

EXAMPLES = """\b
Examples:
  urlset validate sitemap.xml
  urlset validate https://example.com/sitemap.xml --fail-on warning
  urlset validate example.com --discover --expand
  urlset validate public/ --ignore HNT,LOC003 --format concise
  curl -s https://example.com/sitemap.xml | urlset validate - --format json
  urlset validate public/ --format github --output urlset.sarif --output junit:reports/urlset.xml
"""


@with_following_options
@with_judging_options
def validate(
    context: typer.Context,
    reading: Reading,
    judging: Judging,
    targets: Targets,
    xsd: Annotated[
        Path | None,
        typer.Option(
            "--xsd",
            metavar="PATH",
            help="Also validate XML documents against the XML schema in PATH, a file or a folder with sitemap.xsd and "
            "siteindex.xsd, with libxml2; an invalid one exits with 1 unless --fail-on never.",
            show_default=False,
        ),
    ] = None,
    robots: Annotated[
        bool,
        typer.Option(
            "--robots", help="Check listed URLs against robots.txt of the targets' own hosts; fetch no pages."
        ),
    ] = False,
) -> None:
    """Check sitemaps against the protocol and what search engines ask for.

    Findings are given with errors first, each with the places where it occurs, how often, and how to fix it. A fault
    that occurs 50,000 times in a file is one finding with that count.

    A target that cannot be read at all is reported on standard error, the others are still checked, and the exit code
    is 3 even if something was found in them.

    --discover searches sites for their sitemaps, asks their robots.txt, and reads what is found; --expand goes on from
    indexes to the sitemaps that they list. What of those cannot be fetched is a finding, at the line that lists it.

    --robots reads robots.txt of the host of each http(s) target and reports the listed URLs on that host that it closes
    to --agent. Hosts that only the sitemap names are not asked.

    --format says what standard output gets, and each --output names a file that gets the report as well, in a format
    of its own. A file is replaced whole or not at all.

    Options may also stand in urlset.toml or in [tool.urlset] of pyproject.toml, looked for from the working directory
    upwards; the command line wins. `urlset config` shows what is in force.
    """
    from urlset.cli.progress import ProgressBar
    from urlset.pipeline.validate import validate as run

    settings = judging.settings(reading, given_on_command_line(context, {"xsd": xsd, "robots": robots}))
    if judging.page is None:
        with ProgressBar() as progress:
            report = run(targets, judging.asked(settings), progress)
        raise typer.Exit(judging.deliver(report, settings))
    from urlset.pipeline.report_page import ForPage
    from urlset.scratch import Scratch

    with Scratch() as scratch:
        kept = ForPage(scratch)
        with ProgressBar() as progress:
            report = kept.validate(targets, judging.asked(settings), progress)
        raise typer.Exit(judging.deliver(report, settings, page=kept.page))
