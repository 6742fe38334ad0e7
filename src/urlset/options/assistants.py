"""Options of `urlset mcp`."""

from __future__ import annotations

from pathlib import Path

from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, OptionFacts, Panel, option, option_group


@option_group(faces=COMMAND_LINE)
class AssistantOptions(ConfiguringOptions):
    """Options of `urlset mcp`: what the tools can reach."""

    root: Path = option(
        Path(),
        OptionFacts(
            help="Directory whose files the tools can read",
            panel=Panel.TARGETS,
            metavar="DIR",
            positional=True,
            default_text="current directory",
        ),
    )
    allow_fetch: bool = option(
        False,
        OptionFacts(help="Allow the tools to request public http(s) URLs", panel=Panel.NETWORK),
    )
