"""`urlset inspect`: show what sitemaps contain."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, TargetOptions, format_option, output_option
from urlset.errors import UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import option_group
from urlset.options.verbs import InspectOptions

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.errors import ExitCode
    from urlset.options.resolve import ResolvedOptions


class InspectFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    LLM = "llm"


@option_group
class Options(TargetOptions, InspectOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset inspect`."""

    urls: bool = output_option(False, "Print only the URLs, one per line")
    format: InspectFormat = format_option(InspectFormat.TEXT)
    verbose: bool = output_option(False, "Show all children of an index and all anomalies", short="v")

    def check(self) -> None:
        """Check that the options can be combined.

        Raises:
            UsageError: They cannot.
        """
        if self.urls and self.format is not InspectFormat.TEXT:
            raise UsageError(f"--urls prints plain lines and cannot be combined with --format {self.format}")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output

    options = configuration.options
    output = Output(options.color)
    return _print_urls(options, output) if options.urls else _print_report(options, output)


def _print_urls(options: Options, output: Output) -> ExitCode:
    from urlset.cli.output import complain
    from urlset.errors import Unreadable, exit_code_for
    from urlset.pipeline.inspect import iter_urls
    from urlset.text.safe import one_line, safe
    from urlset.text.sizes import quantity

    failed: list[Unreadable] = []

    def note(unreadable: Unreadable) -> None:
        failed.append(unreadable)
        complain(f"{unreadable.target}: {unreadable.reason}")

    def on_lines(name: str, lines: int) -> None:
        complain(f"{name}: {quantity(lines, 'line')} left out: not {'a URL' if lines == 1 else 'URLs'}")

    # In a pipe, only line breaks in a URL are escaped; on a terminal, all control characters.
    escape = safe if output.is_terminal else one_line
    output.write(map(escape, iter_urls(options.targets, options, note, on_lines)))
    return exit_code_for(target.reason for target in failed)


def _print_report(options: Options, output: Output) -> ExitCode:
    from urlset.cli.output import complain
    from urlset.cli.progress_bar import ProgressBar
    from urlset.errors import ExitCode, exit_code_for
    from urlset.model.document import was_read
    from urlset.pipeline.inspect import inspect
    from urlset.sources.home_page import HOME_PAGE, is_home_page

    with ProgressBar() as progress:
        report = inspect(options.targets, options, progress)
    for note in report.notes:
        complain(note)
    for unreadable in report.unreadable:
        complain(f"{unreadable.target}: {unreadable.reason}")
    for document in report.documents:
        if is_home_page(document.facts, options):
            complain(f"{document.facts['url']}: {HOME_PAGE}")
    output.show("inspect", options.format, report, replace(output.style, verbose=options.verbose))
    # Listed sitemaps are inputs, too, as with --urls; a robots.txt that was only looked for is not.
    is_whole = all(
        was_read(document.facts) or document.facts.get("found_by") == "well-known" for document in report.documents
    )
    if report.unreadable or is_whole:
        return exit_code_for(target.reason for target in report.unreadable)
    return ExitCode.UNREADABLE


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show what sitemaps contain: kind, entries, size, encoding, dates, extensions, and children of an index.

    TARGET can also be a file with the redirects of a host, such as _redirects, netlify.toml, vercel.json, or .htaccess:
    its redirects are listed, with whether each has an effect, given the files of the directory.

    Nothing is validated. --discover finds the sitemaps of each site, and --expand follows sitemap indexes; each child
    sitemap is one line below its index, and shown in full with --verbose.

    With --urls, control characters in a URL are escaped, so that each line is one URL. Lines of a text sitemap that are
    not URLs are left out and counted on standard error.""",
    examples=(
        "urlset inspect sitemap.xml.gz",
        "urlset inspect https://example.com/sitemap_index.xml --format json",
        "urlset inspect example.com --discover --expand",
        "urlset inspect sitemap.xml --urls | grep /blog/",
        "urlset inspect dist/_redirects",
    ),
    exit_status="0 everything was read; 2 usage or configuration error; 3 a target, or a sitemap that an index lists, "
    "could not be read; 4 internal error.",
)
