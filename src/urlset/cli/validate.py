"""`urlset validate`: check sitemaps."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.deliver import JudgingReportOptions, check_report, deliver, examples_to_keep
from urlset.cli.show import TargetOptions, output_option
from urlset.errors import UsageError
from urlset.options.clustering import ClusterOptions, EngineName
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import option_group
from urlset.options.verbs import ValidateOptions
from urlset.report.formats import OUTPUTS, Form
from urlset.text.sizes import enumeration

if TYPE_CHECKING:
    from urlset.errors import ExitCode
    from urlset.options.resolve import ResolvedOptions


NOT_FETCHED = "The listed pages were not fetched; `urlset audit` also checks them."


@option_group
class Options(TargetOptions, ValidateOptions, ClusterOptions, JudgingReportOptions, ConfiguringOptions):
    """Options of `urlset validate`."""

    statistics: bool = output_option(False, "Show counts per rule instead of findings")

    def check(self) -> None:
        """Check that the options go together.

        Raises:
            UsageError: A format has no place for counts per rule.
        """
        from urlset.cli.outputs import destinations

        forms = (self.format.value, *(file.form for file in destinations(self.output))) if self.statistics else ()
        for form in forms:
            if form not in OUTPUTS["statistics"].formats:
                raise UsageError(
                    f"--statistics: {form} lists single findings and has no place for counts per rule; use "
                    f"{enumeration([each for each in OUTPUTS['statistics'].formats if each != Form.NONE], 'or')}"
                )


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.database.connections import open_ahead

    open_ahead()
    from urlset.cli.progress_bar import ProgressBar
    from urlset.pipeline.validate import validate
    from urlset.stages.ruleset import check_rules

    options = configuration.options
    check_report(options)
    check_rules(configuration)
    read_options = replace(options, max_examples=examples_to_keep(options, options.max_examples))
    written = partial(
        deliver,
        options=options,
        form=options.format,
        max_examples=options.max_examples,
        content="statistics" if options.statistics else "validate",
        closing=NOT_FETCHED,
    )
    if options.engine is EngineName.SPARK:
        from urlset.cluster.spark_session import check_packages, session

        # The next modules import them.
        check_packages()
        from urlset.pipeline import cluster
        from urlset.pipeline.cluster_report import place_of_run

        cluster.check_options(read_options)
        is_reported = options.report is not None
        with (
            session(options.master) as spark,
            place_of_run(
                spark, options.targets, options.run_folder, command="validate", is_reported=is_reported
            ) as place,
        ):
            return written(cluster.validate(spark, options.targets, read_options, place.folder), page=place.page)
    if options.report is None:
        with ProgressBar() as progress:
            report = validate(options.targets, read_options, progress)
        return written(report)
    from urlset.files.scratch import Scratch
    from urlset.pipeline.report_page import StoredValidation

    with Scratch() as scratch:
        validation = StoredValidation(scratch)
        with ProgressBar() as progress:
            report = validation.validate(options.targets, read_options, progress)
        return written(report, page=validation.page)


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Check sitemaps against the protocol and search engine requirements.

    TARGET is a file, directory, URL, or - for standard input. To check a whole site, add --discover. To also fetch and
    check the listed pages, use `urlset audit`.""",
    details="""Each finding shows the rule, where it occurs, how often, and how to fix it. The same problem in 50,000
    entries is one finding with that count.

    XML, text, RSS, and Atom sitemaps are detected by content, gzipped or not. Targets that cannot be read are reported
    on standard error; the others are still checked.

    --discover finds the sitemaps of each site and reads its robots.txt, and --expand follows sitemap indexes; a listed
    sitemap that cannot be fetched is a finding, at the line that lists it. --robots reads robots.txt of the targets'
    own hosts only.

    --engine spark reads the targets, which are URLs, or files or globs on any file system that Spark reads, on a Spark
    cluster, with the same rules and results. See docs/how-to/scale.md.

    Options can also be set in urlset.toml or in [tool.urlset] of pyproject.toml; the command line takes precedence.
    `urlset config` shows the effective options.""",
    examples=(
        "urlset validate public/",
        "urlset validate https://example.com/sitemap.xml --fail-on warning",
        "urlset validate example.com --discover --expand --report report.html",
    ),
    more_examples=(
        "urlset validate public/ --ignore HNT,LOC003 --format concise",
        "curl -s https://example.com/sitemap.xml | urlset validate - --format json",
        "urlset validate --engine spark 's3a://bucket/sitemaps/*.xml.gz' --run-folder /data/run",
        "urlset validate public/ --format github --output urlset.sarif --output junit:reports/urlset.xml",
    ),
    exit_status="0 no findings at or above --fail-on, 1 findings, 2 usage or configuration error, 3 a target could not "
    "be read, 4 internal error.",
)
