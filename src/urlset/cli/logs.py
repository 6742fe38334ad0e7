"""`urlset logs`: read which crawlers requested which URLs from access logs."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, shown
from urlset.errors import ExitCode
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Text, option_group, required
from urlset.options.reading_logs import LogsOptions

if TYPE_CHECKING:
    from urlset.options.resolve import Resolved


class LogsForm(StrEnum):
    """The output formats of `logs`."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


@option_group
class Options(LogsOptions, ColorOptions, ConfiguringOptions):
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
    format: LogsForm = shown(LogsForm.TEXT, "Output format: text, json, or csv", "FORMAT")


def run(resolved: Resolved[Options]) -> ExitCode:
    """Read the logs, and show what crawlers requested."""
    from urlset.cli.output import Output, complain
    from urlset.cli.progress import ProgressBar
    from urlset.pipeline.logs import logs

    options = resolved.options
    output = Output(options.color)
    with ProgressBar() as progress:
        result = logs(options.logs, options, progress)
    output.show("logs", options.format, result, output.style)
    for one in result.unreadable:
        complain(f"{one.target}: {one.reason}")
    return result.exit_code


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show which crawlers requested which URLs and sitemaps, according to access logs.

    LOG is a file, plain or compressed with gzip or Zstandard, a directory, or - for standard input. The requests are
    counted in a store, which `urlset sql` can query.""",
    details="""A log that was read before, even under another name, continues where it ended. Requests of people and the
    addresses of all clients are dropped while reading, so the store has neither.

    Crawlers are recognized by their user agent, which any client can send. --ranges compares their addresses with the
    lists that operators publish as JSON files, such as googlebot.json and bingbot.json; urlset does not download them.
    --dns looks the addresses up in DNS, both ways. Without either, all crawlers are unverified.

    The format of each log is detected by its first lines. --fields names the fields of JSON logs that urlset does not
    know. A log without host names needs --site.

    The tables are `crawls`, `crawl_days`, `sitemap_fetches`, and `log_files`; see docs/how-to/access-logs.md.""",
    examples=(
        "urlset logs /var/log/nginx/access.log* --site https://example.com",
        "urlset logs logs/ --ranges ranges/ --since 30d",
        "zcat access.log.gz | urlset logs - --site https://example.com --format json",
        "urlset logs 's3://bucket/cloudfront/*.gz' --site https://example.com",
        "urlset logs app.json --fields client=ip,url=request.path,agent=headers.user-agent",
        'urlset sql "select url, hits from crawls order by hits desc limit 10" urlset.duckdb',
    ),
    exit_status="0 read; 2 usage or configuration error, an unknown format, or a log without host names and without "
    "--site; 3 a log could not be read, or more than half of its lines; 4 internal error.",
)
