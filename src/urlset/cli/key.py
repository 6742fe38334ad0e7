"""`urlset key`: make a key for signed requests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import Format, format_option
from urlset.errors import ExitCode, UsageError
from urlset.options.declare import COMMAND_LINE, OptionFacts, OptionGroup, Panel, Text, option, option_group

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions

NEW = "new"
"""The only task."""


@option_group
class Options(OptionGroup):
    """Options of `urlset key`."""

    task: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="`new` and the file to write the private key to",
            panel=Panel.TARGETS,
            metavar="new FILE",
            faces=COMMAND_LINE,
            positional=True,
        ),
    )
    agent: Text | None = option(
        None,
        OptionFacts(
            help="Host that publishes the public key, as an https URL without a path",
            panel=Panel.NETWORK,
            metavar="URL",
            faces=COMMAND_LINE,
        ),
    )
    directory: Path | None = option(
        None,
        OptionFacts(
            help="Directory that this host serves: add the public key to its document",
            panel=Panel.NETWORK,
            metavar="DIR",
            faces=COMMAND_LINE,
        ),
    )
    format: Format = format_option(Format.TEXT)

    def check(self) -> None:
        """Check the task.

        Raises:
            UsageError: It is unknown, or the agent is missing.
        """
        if len(self.task) != 2 or self.task[0] != NEW or self.agent is None:
            raise UsageError("use `urlset key new FILE --agent URL`")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.clients.signing_key import new_signing_key

    options = configuration.options
    key = new_signing_key(Path(options.task[1]), str(options.agent), options.directory)
    output = Output()
    output.show("key new", options.format, key, output.style)
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Make a key, with which urlset signs its requests so that your firewall can tell them from others.

    `--sign FILE` of the commands that request URLs then signs the requests to the given hosts (Web Bot Auth,
    draft-ietf-webbotauth-httpsig-protocol-01). Nothing is signed by default. The private key is only in FILE, which
    only its owner can read. The host of --agent must publish the public key; with --directory, it is written to
    .well-known/http-message-signatures-directory there, next to earlier keys. It needs the extra `urlset[sign]`.""",
    examples=(
        "urlset key new urlset.key --agent https://bot.example.com --directory public/",
        "urlset audit https://www.example.com --sign urlset.key",
    ),
    exit_status="0 the key was made; 2 usage error, or a file has something else; 3 a file could not be written; "
    "4 internal error.",
)
