"""Options that select the configuration file."""

from __future__ import annotations

from pathlib import Path

from urlset.options.declare import (
    COMMAND_LINE,
    Face,
    Names,
    OptionFacts,
    OptionGroup,
    Panel,
    Text,
    option,
    option_group,
)


@option_group(panel=Panel.CONFIGURATION)
class ConfiguringOptions(OptionGroup):
    """The configuration file to read."""

    config: Path | None = option(
        None,
        OptionFacts(
            help="Configuration file",
            metavar="FILE",
            faces=COMMAND_LINE | {Face.PYTHON},
            default_text="nearest urlset.toml or pyproject.toml",
        ),
    )
    settings: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Set a key of urlset.toml for this run; can be repeated",
            metavar="KEY=VALUE",
            more="The value is TOML or plain text, as in `--set network.read-timeout=5`.",
            faces=COMMAND_LINE,
            names=Names.KEYS,
            secret=True,
            spelling="set",
        ),
    )
    no_config: bool = option(False, OptionFacts(rare=True, help="Ignore configuration files", faces=COMMAND_LINE))
