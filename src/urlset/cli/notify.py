"""`urlset notify`: tell search engines which URLs changed, with IndexNow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, Format, format_option
from urlset.errors import ExitCode, UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, Text, option, option_group
from urlset.options.notifying import NotifyOptions

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions

KEY = "key"
"""The argument that makes a key instead of sending anything."""


@option_group(panel=Panel.TARGETS, faces=COMMAND_LINE)
class Options(NotifyOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset notify`."""

    sides: tuple[Text, ...] = option(
        (),
        OptionFacts(
            has_user=True,
            help="The earlier and the later side; - for URLs from standard input; or `key` to make a key",
            metavar="OLD NEW",
            positional=True,
        ),
    )
    from_runs: Text | None = option(
        None,
        OptionFacts(
            has_user=True,
            help="Compare two runs of a store; without numbers, the last two",
            metavar="STORE@A..B",
            spelling="from",
        ),
    )
    write: Path | None = option(
        None,
        OptionFacts(
            help="With `key`: directory to write the key file to",
            panel=Panel.INDEXNOW,
            metavar="DIR",
        ),
    )
    format: Format = format_option(Format.TEXT)

    def check(self) -> None:
        """Check that there is one task.

        Raises:
            UsageError: No task is named, or more than one.
        """
        if self.sides == (KEY,):
            if self.write is None or self.from_runs is not None:
                raise UsageError("`urlset notify key` needs --write DIR, the directory to publish, and nothing else")
        elif self.write is not None:
            raise UsageError("--write is for `urlset notify key`")
        elif (self.from_runs is not None) == bool(self.sides):
            raise UsageError("name what to send: --from STORE@7..8, OLD NEW, or - for URLs from standard input")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.cli.progress_bar import ProgressBar
    from urlset.comparison.notices import sides_of
    from urlset.pipeline.notify import notify

    options = configuration.options
    output = Output(options.color)
    if options.write is not None:
        from urlset.indexnow.keys import write_key

        output.show(KEY, options.format, write_key(options.write), output.style)
        return ExitCode.CLEAN
    sides = options.sides if options.from_runs is None else sides_of(options.from_runs)
    with ProgressBar() as progress:
        result = notify(sides, options, progress)
    output.show("notify", options.format, result, output.style)
    return result.exit_code


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Tell search engines which URLs are new, changed, or removed, with IndexNow. Google does not take part.

    OLD and NEW are files, directories, sites, http(s) URLs, or runs of a store, as for `urlset diff`. With -, the URLs
    are read from standard input, one per line.""",
    details="""A URL is changed if its lastmod is later than before and, if both runs fetched the page, its content
    differs, too. A URL that is no longer listed is requested, and sent if it returns 404 or 410 or redirects. On
    standard input, a tab and a version can follow each URL; without one, the current date is its version.

    Nothing is sent until the key file of each host is online and has the same bytes as --key-file. What an endpoint
    accepted is recorded in the store, by URL, version, and endpoint, so that it is not sent again, and an interrupted
    run can be repeated. An endpoint that returns 429 or cannot be reached is skipped; 400, 403, and 422 end the run.

    `urlset notify key --write DIR` makes a key and writes its file.""",
    examples=(
        "urlset notify key --write public/",
        "urlset notify --from urlset.duckdb@7..8 --key-file public/KEY.txt --dry-run",
        "urlset notify old/ public/ --key-file public/KEY.txt",
        "urlset notify - --key-file public/KEY.txt < urls.txt",
    ),
    exit_status="0 sent, or nothing to send; 1 an endpoint refused something; 2 a key, an option, or the configuration "
    "is wrong; 3 no endpoint could be reached, or a side could not be read; 4 internal error.",
)
