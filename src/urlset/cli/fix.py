"""`urlset fix`: repairs what has one right answer, and lists what has none."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from urlset.cli.fetching import Reading, with_fetch_options
from urlset.cli.options import Colour, ColourOption, Format, Targets, file_or_stdout

EXAMPLES = """\b
Examples:
  urlset fix sitemap.xml -o fixed.xml
  urlset fix public/ --in-place
  urlset fix public/ --diff
  urlset fix https://example.com/sitemap.xml > sitemap.xml
  urlset fix big.xml -o out/sitemap.xml --base-url https://example.com/
"""


@with_fetch_options
def fix(
    targets: Targets,
    reading: Reading,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="Write the result to this file, - for standard output; of a folder or several targets, to files in "
            "this folder.",
            show_default=False,
        ),
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Replace each file by its repaired version, whole or not at all.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what would change as a unified diff, and write nothing.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing; exit with 1 if there is anything to repair.")
    ] = False,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url",
            metavar="URL",
            help="Make relative URLs absolute with this one, and split what is beyond the limits into files published "
            "beside it.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", metavar="FORMAT", help="Form of the report: text for people, or json.")
    ] = Format.TEXT,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every example kept, and all that was left out.")
    ] = False,
    colour: ColourOption = Colour.AUTO,
) -> None:
    """Repair what has one right answer: escaping, encoding, namespaces, white space, dates, duplicates and the like.

    What is right stays byte for byte, and fixing twice changes nothing. An entry that cannot be repaired (no loc, a
    relative or malformed URL) is left out, and listed with its line. A value that may mean several things stays as it
    is. Which rules this settles, `urlset rules` says.

    Without --output and --in-place the repaired document goes to standard output and the report to standard error.
    What was gzipped is gzipped again. A feed is let be.

    The exit code is 0 when everything could be repaired, and 1 when something was left out or a target could not be
    repaired; with --dry-run or --diff it is 1 when there is anything to repair.
    """
    from urlset.cli.output import Output, complain
    from urlset.cli.progress import ProgressBar
    from urlset.config import FixOptions
    from urlset.errors import ExitCode, MisuseError, exit_code_for
    from urlset.pipeline.fix import fix as run

    is_dry = dry_run or diff
    if not in_place:
        output = file_or_stdout(output)
    gives_document = output is None and not in_place and not is_dry
    if gives_document and form is Format.JSON:
        raise MisuseError(
            "the repaired document goes to standard output: give --output FILE to have the report as JSON"
        )
    options = FixOptions(
        output=output,
        in_place=in_place,
        dry_run=is_dry,
        diff=diff,
        base_url=base_url,
        read=reading.options(),
    )
    with ProgressBar() as progress:
        report = run(targets, options, progress)
    for unreadable in report.unreadable:
        complain(f"{unreadable.target}: {unreadable.reason}")
    shown = Output(colour, sys.stderr) if gives_document else Output(colour)
    if gives_document:
        for document in report.documents:
            if document.content is not None and not Output(Colour.NEVER).write_bytes(document.content):
                raise typer.Exit(ExitCode.CLEAN)
    shown.show("fix", form, report, replace(shown.style, verbose=verbose))
    if report.unreadable:
        raise typer.Exit(exit_code_for(one.reason for one in report.unreadable))
    is_good = report.is_right if is_dry else report.is_whole
    raise typer.Exit(ExitCode.CLEAN if is_good and report.is_whole else ExitCode.FINDINGS)
