"""`urlset logs`: read which crawlers requested which URLs from access logs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from urlset import _core
from urlset.cli.command import CommandSpec
from urlset.cli.deliver import ReportOptions, check_report, deliver, examples_to_keep
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Text, option_group, required
from urlset.options.reading_logs import LogsOptions
from urlset.report.formats import OUTPUTS

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.errors import ExitCode
    from urlset.model.report import Report
    from urlset.model.report_page import Page
    from urlset.options.resolve import ResolvedOptions
    from urlset.report.style import Style


@option_group
class Options(LogsOptions, ReportOptions, ConfiguringOptions):
    """Options of `urlset logs`."""

    logs: tuple[Text, ...] = required(
        OptionFacts(
            help="Files, directories, patterns, object store URLs, or - for standard input",
            panel=Panel.TARGETS,
            metavar="LOG",
            faces=COMMAND_LINE,
            positional=True,
        )
    )


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.progress_bar import ProgressBar
    from urlset.model.report import Report
    from urlset.pipeline.logs import logs
    from urlset.stages.ruleset import check_rules

    options = configuration.options
    check_report(options)
    check_rules(configuration)
    log_options = replace(options, max_examples=examples_to_keep(options, options.max_examples))
    with ProgressBar() as progress:
        result = logs(options.logs, log_options, progress)
    report = Report(_core.__version__, (), ()) if result.crawl is None else result.crawl.report
    if result.uncompared is not None:
        report = structs.replace(report, notes=(f"not compared with a run: {result.uncompared}",))
    report = structs.replace(report, unreadable=result.unreadable)

    def show(report: Report, output: Output, style: Style) -> bool:
        """Write the formats that have more than the findings."""
        if options.format in OUTPUTS["logs"].formats:
            crawl = None if result.crawl is None else structs.replace(result.crawl, report=report)
            output.show("logs", options.format, structs.replace(result, crawl=crawl), style)
        return options.format in OUTPUTS["logs"].formats

    def page(report: Report) -> Page:
        from urlset.pipeline.report_page import page_of_run

        if result.crawl is None:
            return page_of_run(options.store)
        return page_of_run(
            options.store, result.crawl.overview.run_id, crawl=structs.replace(result.crawl, report=report)
        )

    return deliver(
        report,
        options,
        form=options.format,
        max_examples=options.max_examples,
        show=show,
        page=page,
        text_has_messages=False,
    )


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show which crawlers requested which URLs and sitemaps, and what is wrong with it, according to access logs.

    LOG is a file, plain or compressed with gzip or Zstandard, a directory, or - for standard input. The requests are
    counted in a store, which `urlset sql` can query.""",
    details="""A log that was read before, even under another name, continues where it ended. Requests of people and the
    addresses of all clients are dropped while reading, so the store has neither.

    Crawlers are recognized by their user agent, which any client can send. --ranges compares their addresses with the
    lists that operators publish as JSON files, such as googlebot.json and bingbot.json; urlset does not download them.
    --dns looks the addresses up in DNS, both ways. Without either, all crawlers are unverified.

    The format of each log is detected by its first lines. --fields names the fields of JSON logs that urlset does not
    know. A log without host names needs --site.

    If the store has a run of `urlset audit`, all logs in the store are compared with the last one: rules report listed
    URLs that no search engine requested, errors that crawlers got, impostors, and so on. Each finding names the days
    that the logs cover; what happened before and after is not known.

    The tables are `crawls`, `crawl_days`, `sitemap_fetches`, and `log_files`, and of the comparison `log_urls`,
    `log_crawlers`, and `log_sitemaps`; see docs/how-to/access-logs.md.""",
    examples=(
        "urlset logs /var/log/nginx/access.log* --site https://example.com",
        "urlset logs logs/ --ranges ranges/ --since 30d",
        "zcat access.log.gz | urlset logs - --site https://example.com --format json",
        "urlset logs 's3://bucket/cloudfront/*.gz' --site https://example.com",
        "urlset logs app.json --fields client=ip,url=request.path,agent=headers.user-agent",
        "urlset logs access.log --ranges ranges/ --report report.html --fail-on warning",
        'urlset sql "select url, hits from crawls order by hits desc limit 10" urlset.duckdb',
    ),
    exit_status="0 no findings at or above --fail-on; 1 findings; 2 usage or configuration error, an unknown format, "
    "or a log without host names and without --site; 3 a log could not be read, or more than half of its lines; 4 "
    "internal error.",
)
