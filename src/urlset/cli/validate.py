"""`urlset validate`: what is wrong with sitemaps, where, and how to mend it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from urlset.cli.options import (
    DEFAULT_TIMEOUT,
    Colour,
    ColourOption,
    MaxBytes,
    Targets,
    Timeout,
    read_options,
)
from urlset.config import DEFAULT_MAX_INFLATED, FailOn


class ValidateFormat(StrEnum):
    """Forms of the report on standard output."""

    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    MARKDOWN = "markdown"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    GITLAB = "gitlab"
    NONE = "none"


EXAMPLES = """\b
Examples:
  urlset validate sitemap.xml
  urlset validate https://example.com/sitemap.xml --fail-on warning
  urlset validate public/ --ignore HNT,LOC003 --format concise
  curl -s https://example.com/sitemap.xml | urlset validate - --format json
  urlset validate public/ --format github --output urlset.sarif --output junit:reports/urlset.xml
"""


def validate(
    targets: Targets,
    form: Annotated[
        ValidateFormat,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="What standard output gets: text for people, concise for one line an example, json, jsonl, csv, "
            "markdown, sarif, junit, github (annotations), gitlab (code quality), or none.",
        ),
    ] = ValidateFormat.TEXT,
    outputs: Annotated[
        list[str] | None,
        typer.Option(
            "--output",
            metavar="FILE",
            help="Also write the report to FILE, in the format of its ending (.sarif, .json, .jsonl, .csv, .md, .txt, "
            ".parquet, .xml for junit) or as FORMAT:FILE says. May be given several times.",
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(metavar="PREFIX", help="Run only rules whose code begins so: LOC, LOC003, or several: LOC,XML."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="PREFIX", help="Leave out rules whose code begins so.")
    ] = None,
    fail_on: Annotated[
        FailOn,
        typer.Option(metavar="SEVERITY", help="The least severity that exits with 1: error, warning, info, or never."),
    ] = FailOn.ERROR,
    max_examples: Annotated[
        int, typer.Option(metavar="N", min=0, help="Keep at most N examples of a finding; counts stay exact.")
    ] = 10,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every example kept, with whole URLs, and the rules' sources.")
    ] = False,
    colour: ColourOption = Colour.AUTO,
    max_bytes: MaxBytes = DEFAULT_MAX_INFLATED,
    timeout: Timeout = DEFAULT_TIMEOUT,
) -> None:
    """Check sitemaps against the protocol and what search engines ask for.

    Findings are given with errors first, each with the places where it occurs, how often, and how to fix it. A fault
    that occurs 50,000 times in a file is one finding with that count.

    A target that cannot be read at all is reported on standard error, the others are still checked, and the exit code
    is 3 even if something was found in them.

    --format says what standard output gets, and each --output names a file that gets the report as well, in a format
    of its own. A file is replaced whole or not at all.
    """
    from urlset.cli.output import Output, complain
    from urlset.cli.progress import ProgressBar
    from urlset.config import ValidateOptions
    from urlset.errors import ExitCode
    from urlset.pipeline.outputs import destinations, write_outputs
    from urlset.pipeline.validate import validate as run
    from urlset.report.formats import Form

    output = Output(colour)
    files = destinations(outputs or ())
    options = ValidateOptions(
        select=_codes(select),
        ignore=_codes(ignore),
        fail_on=fail_on,
        max_examples=max_examples,
        read=read_options(max_bytes, timeout),
    )
    with ProgressBar() as progress:
        report = run(targets, options, progress)
    for unreadable in report.unreadable:
        complain(f"{unreadable.target}: {unreadable.reason}")
    if form is not ValidateFormat.NONE:
        output.write_report(report, Form(form.value), fail_on=fail_on, verbose=verbose)
    write_outputs(report, files, fail_on=fail_on, verbose=verbose)
    if report.unreadable:
        raise typer.Exit(ExitCode.UNREADABLE)
    raise typer.Exit(ExitCode.FINDINGS if report.fails(fail_on) else ExitCode.CLEAN)


def _codes(given: list[str] | None) -> tuple[str, ...]:
    """The prefixes that were given one by one or with commas, in capitals."""
    return tuple(code.strip().upper() for text in given or () for code in text.split(",") if code.strip())
