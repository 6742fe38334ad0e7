"""`urlset inspect`: what sitemaps are and hold, without a judgement."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from urlset.cli.fetching import Reading, with_following_options
from urlset.cli.options import Colour, ColourOption, Format, Targets

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.config import ReadOptions
    from urlset.errors import ExitCode


EXAMPLES = """\b
Examples:
  urlset inspect sitemap.xml.gz
  urlset inspect https://example.com/sitemap_index.xml --format json
  urlset inspect example.com --discover --expand
  urlset inspect sitemap.xml --urls | grep /blog/
"""


@with_following_options
def inspect(
    targets: Targets,
    reading: Reading,
    urls: Annotated[bool, typer.Option("--urls", help="Print the URLs, one a line, and nothing else.")] = False,
    form: Annotated[Format, typer.Option("--format", metavar="FORMAT", help="text for people, or json.")] = Format.TEXT,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every child of an index and every anomaly.")
    ] = False,
    colour: ColourOption = Colour.AUTO,
) -> None:
    """Show what sitemaps are: kind, entries, size, encoding, dates, extensions, and for an index its children.

    --discover searches sites for their sitemaps, and --expand goes on from indexes to the sitemaps that they list; of
    those each is shown in a line of its index, and by itself with --verbose. The exit code is 3 if a target, or a
    sitemap that an index lists, could not be read, with --urls and without.

    With --urls the URLs are printed as they are read, one a line; control characters in a URL are escaped, so that a
    line is always one URL. Lines of a text sitemap that are not URLs are left out and counted on standard error.
    """
    from urlset.cli.output import Output
    from urlset.errors import MisuseError

    if urls and form is Format.JSON:
        raise MisuseError("--urls prints plain lines; leave out --format json")
    output = Output(colour)
    options = reading.options()
    if urls:
        raise typer.Exit(_print_urls(targets, options, output))
    raise typer.Exit(_print_report(targets, options, output, form, verbose))


def _print_urls(targets: list[str], options: ReadOptions, output: Output) -> ExitCode:
    from urlset.cli.output import complain
    from urlset.errors import Unreadable, exit_code_for
    from urlset.pipeline.inspect import iter_urls
    from urlset.report.words import counted
    from urlset.safe import one_line, safe

    failed: list[Unreadable] = []

    def note(unreadable: Unreadable) -> None:
        failed.append(unreadable)
        complain(f"{unreadable.target}: {unreadable.reason}")

    def on_lines(name: str, lines: int) -> None:
        complain(f"{name}: {counted(lines, 'line')} left out: not {'a URL' if lines == 1 else 'URLs'}")

    # In a pipe a URL stays as it is unless that would break the line; on a terminal nothing in it may act.
    escape = safe if output.is_terminal else one_line
    output.write(map(escape, iter_urls(targets, options, note, on_lines)))
    return exit_code_for(one.reason for one in failed)


def _print_report(targets: list[str], options: ReadOptions, output: Output, form: Format, verbose: bool) -> ExitCode:
    from urlset.cli.output import complain
    from urlset.cli.progress import ProgressBar
    from urlset.errors import ExitCode, exit_code_for
    from urlset.model.document import was_read
    from urlset.pipeline.inspect import inspect as run

    with ProgressBar() as progress:
        report = run(targets, options, progress)
    for note in report.notes:
        complain(note)
    for unreadable in report.unreadable:
        complain(f"{unreadable.target}: {unreadable.reason}")
    output.show("inspect", form, report, replace(output.style, verbose=verbose))
    # What an index lists is an input too, as with --urls; a robots.txt that was looked for is none.
    is_whole = all(
        was_read(document.facts) or document.facts.get("found_by") == "well-known" for document in report.documents
    )
    if report.unreadable or is_whole:
        return exit_code_for(one.reason for one in report.unreadable)
    return ExitCode.UNREADABLE
