"""`urlset diff`: what changed between two sitemaps, folders, sites or kept runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from urlset.cli.fetching import Reading, with_fetch_options
from urlset.cli.options import Colour, ColourOption, Format, file_or_stdout
from urlset.config import FailOnChange

EXAMPLES = """\b
Examples:
  urlset diff old/sitemap.xml new/sitemap.xml
  urlset diff https://example.com/sitemap.xml public/
  urlset diff urlset.duckdb@1 urlset.duckdb@2
  urlset diff urlset.duckdb public/ --max-drop 5 --format json
"""


@with_fetch_options
def diff(
    reading: Reading,
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The earlier side.", show_default=False)],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The later side.", show_default=False)],
    rules: Annotated[
        bool, typer.Option("--rules/--no-rules", help="Run the rules on what is read, to compare findings, too.")
    ] = True,
    fail_on: Annotated[
        FailOnChange,
        typer.Option("--fail-on", metavar="WHAT", help="Exit with 1 at an alarm, at any change, or never."),
    ] = FailOnChange.ALARM,
    max_drop: Annotated[
        float,
        typer.Option("--max-drop", metavar="PERCENT", min=0, max=100, help="URLs that may go without an alarm."),
    ] = 10.0,
    ask_removed: Annotated[
        int | None,
        typer.Option(
            "--ask-removed",
            metavar="N",
            min=1,
            help="Ask the first N URLs that are no longer listed what they answer now.",
            show_default=False,
        ),
    ] = None,
    max_examples: Annotated[
        int, typer.Option("--max-examples", metavar="N", min=0, help="Examples of each kind of change.")
    ] = 10,
    form: Annotated[Format, typer.Option("--format", metavar="FORMAT", help="text for people, or json.")] = Format.TEXT,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            callback=file_or_stdout,
            help="Write to this file, whole or not at all; - for standard output.",
        ),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every finding, old ones too.")] = False,
    colour: ColourOption = Colour.AUTO,
) -> None:
    """Show what changed: URLs added and removed, lastmod, sitemaps of indexes, findings new, fixed and still there.

    A side is a file, a folder, a site, an http(s) URL, - for standard input, or a run of a store that `urlset audit`
    keeps: FILE.duckdb for its newest, FILE.duckdb@3 for run 3. Sites are searched, and indexes of the web followed.

    After a migration, --ask-removed asks the URLs that are no longer listed: each should redirect, none lead nowhere.

    An alarm is a change that nobody makes on purpose without knowing of it: more than --max-drop percent fewer URLs, a
    sitemap that no index lists any more, findings that are errors and new, a lastmod that went back.

    Exits with 0 without an alarm, with 1 with one (--fail-on), with 3 if a side cannot be read.
    """
    from urlset.cli.output import Output
    from urlset.cli.outputs import as_file
    from urlset.cli.progress import ProgressBar
    from urlset.config import DiffOptions
    from urlset.errors import ExitCode
    from urlset.pipeline.diff import diff as compare
    from urlset.report.formats import render
    from urlset.report.style import Style

    options = DiffOptions(
        validate=reading.settings().options,
        judge=rules,
        max_examples=max_examples,
        max_drop=max_drop,
        ask_removed=ask_removed,
    )
    with ProgressBar() as progress:
        comparison = compare(before, after, options, progress)
    if output is None:
        screen = Output(colour)
        screen.show("diff", form, comparison, replace(screen.style, verbose=verbose))
    else:
        from urlset.publish import publish

        publish(output, as_file(render("diff", form, comparison, Style(verbose=verbose))))
    if comparison.before.failed or comparison.after.failed:
        raise typer.Exit(ExitCode.FAULT)
    raise typer.Exit(ExitCode.FINDINGS if comparison.fails(fail_on) else ExitCode.CLEAN)
