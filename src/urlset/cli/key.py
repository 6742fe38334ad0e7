"""`urlset key new`: make a key for signed requests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec, NoOptions
from urlset.cli.show import Format, format_option
from urlset.errors import ExitCode
from urlset.options.declare import COMMAND_LINE, OptionFacts, OptionGroup, Panel, Text, option, option_group, required

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group(panel=Panel.NETWORK, faces=COMMAND_LINE)
class NewOptions(OptionGroup):
    """Options of `urlset key new`."""

    file: Path = required(
        OptionFacts(
            help="File to write the private key to",
            panel=Panel.TARGETS,
            metavar="FILE",
            positional=True,
        )
    )
    agent: Text = required(
        OptionFacts(
            help="Host that publishes the public key, as an https URL without a path",
            metavar="URL",
        )
    )
    directory: Path | None = option(
        None,
        OptionFacts(
            help="Directory that this host serves: add the public key to its document",
            metavar="DIR",
        ),
    )
    format: Format = format_option(Format.TEXT)


def run(configuration: ResolvedOptions[NewOptions]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.clients.signing_key import new_signing_key

    options = configuration.options
    key = new_signing_key(options.file, options.agent, options.directory)
    output = Output()
    output.show("key new", options.format, key, output.style)
    return ExitCode.CLEAN


NEW = CommandSpec(
    options=NewOptions,
    run=run,
    about="""Make a key, and write the private key to FILE, which only its owner can read.

    The host of --agent must publish the public key; with --directory, the key is added to the file
    .well-known/http-message-signatures-directory there, next to earlier keys. This needs the extra `urlset[sign]`.""",
    examples=("urlset key new urlset.key --agent https://bot.example.com --directory public/",),
    exit_status="0 the key was made; 2 usage error, FILE exists, or the file of public keys is invalid; 3 a file could "
    "not be written; 4 internal error.",
)

COMMAND = CommandSpec(
    options=NoOptions,
    run=None,
    about="""Make a key, with which urlset signs its requests so that your firewall can tell them from others.

    `--sign FILE` of the commands that request URLs then signs the requests to the given hosts (Web Bot Auth,
    draft-ietf-webbotauth-httpsig-protocol-01). Nothing is signed by default.""",
    examples=(
        "urlset key new urlset.key --agent https://bot.example.com --directory public/",
        "urlset audit https://www.example.com --sign urlset.key",
    ),
    commands={"new": NEW},
)
