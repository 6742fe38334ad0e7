"""Options on configuration that several commands share, and how they meet the configuration file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from urlset.options import Profile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.configfile.resolve import Resolved

GIVEN = ("COMMANDLINE", "ENVIRONMENT")
"""Sources of a parameter that mean that the user gave it."""

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Read the configuration from here, instead of the nearest urlset.toml or [tool.urlset] of pyproject.toml.",
        show_default=False,
    ),
]

NoConfig = Annotated[bool, typer.Option("--no-config", help="Read no configuration file.")]

ProfileOption = Annotated[
    Profile | None,
    typer.Option(
        "--profile",
        metavar="PROFILE",
        help="Whose eyes to look with: protocol, google, bing, yandex or strict-xsd.",
        show_default=False,
    ),
]


def given_on_command_line(context: typer.Context, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the values whose option stands on the command line, or in its variable, by parameter name.

    What is merely a default must not win over the configuration file.
    """
    sources = {name: context.get_parameter_source(name) for name in values}
    return {name: value for name, value in values.items() if getattr(sources[name], "name", "") in GIVEN}


def resolved(config: Path | None, no_config: bool, given: Mapping[str, Any]) -> Resolved:
    """The configuration in force.

    Raises:
        UsageError: A file is asked for and refused at once.
        ConfigError: The file cannot be read or makes no sense.
    """
    from urlset.configfile.resolve import configuration, resolve
    from urlset.errors import UsageError

    if config is not None and no_config:
        raise UsageError("--config and --no-config contradict each other: give one of them")
    return resolve(configuration(config, search=not no_config), given)
