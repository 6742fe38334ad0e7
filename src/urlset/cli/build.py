"""`urlset build`: build and publish sitemaps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, Format, format_option, only_file, shown
from urlset.errors import ExitCode
from urlset.options.building import BuildOptions, SiteOptions
from urlset.options.configuring import ConfiguringOptions
from urlset.options.sources import STDIN, GivenSources

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.model.build import BuildReport
    from urlset.model.comparison import Comparison
    from urlset.options.resolve import Resolved


@dataclass(frozen=True, kw_only=True)
class Options(GivenSources, SiteOptions, BuildOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset build`."""

    format: Format = format_option()
    verbose: bool = shown(False, "Show all files and all examples", short="v")

    def check(self) -> None:
        """Check that the list of what is left out goes to a file.

        Raises:
            UsageError: It goes to standard output.
        """
        only_file("--left-out", self.left_out)


def run(resolved: Resolved[Options]) -> ExitCode:
    """Build and publish."""
    import logging
    import sys

    from urlset.cli.output import Output, complain
    from urlset.cli.progress import ProgressBar
    from urlset.options.judging import JudgingOptions
    from urlset.pipeline.build import build, with_limits
    from urlset.pipeline.build_sources import site_values, spec_of

    # The report has what is left out.
    logging.getLogger("urlset.build").addHandler(logging.NullHandler())
    options = resolved.options
    spec = spec_of(site_values(options, resolved.given), options, resolved.file)
    spec = with_limits(spec, resolved.of(JudgingOptions).options.limits)
    with ProgressBar() as progress:
        report, comparison = build(spec, options, progress)
    # Where standard output has the document, the report goes to standard error.
    output = Output(options.color, sys.stderr if spec.sites[0].out == STDIN else None)
    if options.explain_lastmod is not None and options.format is Format.TEXT:
        from urlset.report.build_text import explanation

        lines = explanation(report, options.explain_lastmod, output.paint)
        found = output.write(lines) and report.explained is not None
        return ExitCode.CLEAN if found else ExitCode.FINDINGS
    _print(output, report, comparison, options)
    if options.check_only:
        for problem in report.problems if options.format is Format.JSON else ():
            complain(problem)
        return ExitCode.FINDINGS if report.changed or report.problems else ExitCode.CLEAN
    return ExitCode.FINDINGS if report.would_be_refused else ExitCode.CLEAN


def _print(output: Output, report: BuildReport, comparison: Comparison | None, options: Options) -> None:
    if options.format is Format.JSON:
        from urlset.report import build_json

        output.write([build_json.render(report, comparison, ascii_only=not output.unicode)])
        return
    from urlset.report import build_text

    output.write(build_text.render(report, paint=output.paint, verbose=options.verbose))
    if comparison is not None:
        from urlset.report import changes_text
        from urlset.report.inspect_text import Look

        output.write(["", *changes_text.render(comparison, Look(output.paint, output.unicode, options.verbose))])
    elif options.diff:
        output.write(["Nothing is published yet: everything is new."])


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Build sitemaps from directories, lists, queries, and existing sitemaps, and publish them as a whole.

    SOURCE is a directory of HTML or Markdown, a list of URLs (text, CSV, JSON lines, Parquet, - for standard input), or
    a sitemap. html:, files:, list: or sitemaps: before it says which. Without a SOURCE, [build] in urlset.toml says
    what to build; it can have several hosts and an index over them.

    Pages that are noindex, have another canonical URL, redirect, or are disallowed by robots.txt are left out, counted,
    and shown with the reason, as are bad entries. lastmod is never invented. The old files stay until the new ones are
    complete, and files that do not change keep their bytes and time. A build that is killed between two renames is
    completed by the next one; until then files of both sets are published, unless --publish atomic is used.""",
    examples=(
        "urlset build public/ --base-url https://example.com -o public/",
        "urlset build urls.csv --base-url https://example.com -o public/ --gzip parts",
        "urlset build public/ products.jsonl --base-url https://example.com -o public/ --robots public/robots.txt",
        "grep -v /internal/ urls.txt | urlset build - --base-url https://example.com -o public/",
        'urlset build --query "SELECT url AS loc FROM pages" --database shop.sqlite --base-url https://example.com '
        "-o out/",
        "urlset build                       # what [build] of urlset.toml says",
        "urlset build --check --diff        # in CI: would anything change, is anything wrong?",
    ),
    exit_status="0 published; 1 with --check, anything would change or is wrong; or --strict stopped at a bad entry, "
    "or a published set would lose more than half of its URLs; 2 usage or configuration error; 3 a source could not be "
    "read; 4 internal error.",
)
