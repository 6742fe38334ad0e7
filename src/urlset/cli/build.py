"""`urlset build`: build and publish sitemaps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, Format, format_option, only_file, output_option
from urlset.errors import ExitCode, UsageError
from urlset.options.building import BuildOptions, SiteOptions
from urlset.options.clustering import EngineName, EngineOptions
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import option_group
from urlset.options.sources import STDIN, GivenSources

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.model.build import BuildReport
    from urlset.options.building import BuildSpec
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(GivenSources, SiteOptions, BuildOptions, EngineOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset build`."""

    format: Format = format_option(Format.TEXT)
    verbose: bool = output_option(False, "Show all files and all examples", short="v")

    def check(self) -> None:
        """Check that --left-out names a file, and that --links has something to check.

        Raises:
            UsageError: It is standard output, or pages are published.
        """
        if self.links and not self.check_only:
            raise UsageError("--links needs --check: links are checked before anything is published")
        only_file("--left-out", self.left_out)


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    import logging
    import sys

    from urlset.build.source_kinds import site_values, spec_of
    from urlset.cli.output import Output, complain
    from urlset.cli.progress_bar import ProgressBar
    from urlset.model.build_result import BuildResult
    from urlset.options.judging import JudgingOptions
    from urlset.pipeline.build import build, with_limits

    # The report lists what is left out, so the log does not have to.
    logging.getLogger("urlset.build").addHandler(logging.NullHandler())
    options = configuration.options
    if options.engine is EngineName.SPARK:
        return _on_spark(configuration)
    spec = spec_of(site_values(options, configuration.explicit), options, configuration.file)
    spec = with_limits(spec, configuration.of(JudgingOptions).options.limits)
    if options.notify:
        # Imported only on use, because it needs the HTTP client.
        from urlset.pipeline.build_notify import remember

        remember(spec, options)
    with ProgressBar() as progress:
        report, checks = build(spec, options, progress)
    # If the document goes to standard output, the report goes to standard error.
    output = Output(options.color, sys.stderr if spec.sites[0].out == STDIN else None)
    if options.notify:
        return _notify(spec, report, options, output)
    result = BuildResult(report, options.diff, checks, options.explain_lastmod)
    is_complete = output.show("build", options.format, result, replace(output.style, verbose=options.verbose))
    if options.explain_lastmod is not None and options.format is Format.TEXT:
        return ExitCode.CLEAN if is_complete and report.explained is not None else ExitCode.FINDINGS
    if options.check_only:
        for problem in result.problems if options.format is Format.JSON else ():
            complain(problem)
        return ExitCode.FINDINGS if report.changed or result.problems else ExitCode.CLEAN
    return ExitCode.FINDINGS if report.would_be_refused else ExitCode.CLEAN


def _notify(spec: BuildSpec, report: BuildReport, options: Options, output: Output) -> ExitCode:
    """Show the report, notify search engines, and show the result. JSON has both in one document."""
    from urlset.cli.progress_bar import ProgressBar
    from urlset.model.build_result import BuildResult
    from urlset.pipeline.build_notify import notify_build

    style = replace(output.style, verbose=options.verbose)
    if options.format is Format.TEXT:
        # First, since a key that is not online ends the command.
        output.show("build", options.format, BuildResult(report), style)
    with ProgressBar() as progress:
        report = notify_build(spec, report, options, progress)
    assert report.notified is not None
    if options.format is Format.TEXT:
        output.show("notify", options.format, report.notified, style)
    else:
        output.show("build", options.format, BuildResult(report), style)
    return report.notified.exit_code


def _on_spark(configuration: ResolvedOptions[Options]) -> ExitCode:
    """Build from Parquet files and tables on a Spark cluster."""
    from urlset.build.source_kinds import site_values, spec_of
    from urlset.cli.output import Output
    from urlset.cluster.spark_session import check_packages, session
    from urlset.model.build_result import BuildResult
    from urlset.pipeline.cluster_build import build, check_options

    check_packages()
    options = configuration.options
    if not options.sources:
        raise UsageError("no source; name Parquet files, or tables of Spark as table:NAME")
    # Only Spark knows whether they exist.
    named = GivenSources(sources=("list:-",))
    [site] = spec_of(site_values(options, configuration.explicit), named, configuration.file).sites
    check_options(site, configuration.explicit)
    with session(options.master) as spark:
        report = build(spark, options.sources, site, configuration.explicit)
    output = Output(options.color)
    output.show("build", options.format, BuildResult(report), replace(output.style, verbose=options.verbose))
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Build sitemaps from directories, lists, queries, and existing sitemaps, and publish them as one set.

    SOURCE is a directory of HTML or Markdown, a list of URLs (text, CSV, JSON lines, Parquet, - for standard input), or
    a sitemap. The prefix html:, files:, list:, or sitemaps: sets the kind. Without a SOURCE, [build] in urlset.toml
    says what to build; it can have several hosts and an index over them.""",
    details="""Pages that are noindex, have another canonical URL, redirect, or are disallowed by robots.txt are left
    out, counted, and shown with the reason, as are invalid entries. lastmod is never made up. The old files stay until
    the new ones are complete, and files that do not change keep their bytes and time. A build that is killed between
    two renames is completed by the next one; until then files of both sets are published.

    --engine spark builds from Parquet files, globs of them, and tables of Spark (table:NAME) on a Spark cluster. See
    docs/how-to/scale.md.""",
    examples=(
        "urlset build public/ --base-url https://example.com -o public/",
        "urlset build urls.csv --base-url https://example.com -o public/ --gzip parts",
        "grep -v /internal/ urls.txt | urlset build - --base-url https://example.com -o public/",
        'urlset build --query "SELECT url AS loc FROM pages" --database shop.sqlite \\\n'
        "      --base-url https://example.com -o out/",
        "urlset build                       # build the sites of [build] in urlset.toml",
        "urlset build --check --diff        # in CI: fail if anything would change or is wrong",
        "urlset build --check --links       # also find broken links and orphans in the directories",
        "urlset build --notify --key-file public/KEY.txt",
    ),
    more_examples=("urlset build public/ list.jsonl --base-url https://example.com -o out/ --robots out/robots.txt",),
    exit_status="0 published, 1 anything would change or is wrong (with --check), or --strict stopped at an invalid "
    "entry, or everything was left out, or a published set would lose more than half of its URLs, 2 usage or "
    "configuration error, 3 a source could not be read, 4 internal error. With --notify, the exit status of "
    "`urlset notify`.",
)
