"""Options that select the configuration file."""

from __future__ import annotations

from pathlib import Path

from urlset.options.declare import COMMAND_LINE, Face, OptionFacts, OptionGroup, Panel, option, option_group


@option_group
class ConfiguringOptions(OptionGroup):
    """The configuration file to read."""

    config: Path | None = option(
        None,
        OptionFacts(
            help="Configuration file",
            panel=Panel.CONFIGURATION,
            metavar="FILE",
            faces=COMMAND_LINE | {Face.PYTHON},
            default_text="nearest urlset.toml or pyproject.toml",
        ),
    )
    no_config: bool = option(
        False, OptionFacts(help="Ignore configuration files", panel=Panel.CONFIGURATION, faces=COMMAND_LINE)
    )
