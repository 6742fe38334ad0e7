"""`urlset config`: show the effective configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import Format, format_option, output_option
from urlset.errors import ExitCode
from urlset.options.auditing import KeyedOptions
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import option_group
from urlset.options.judging import ProfileOptions

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(ProfileOptions, ConfiguringOptions):
    """Options of `urlset config`."""

    format: Format = format_option(Format.TEXT)
    schema: bool = output_option(False, "Print only the JSON Schema of urlset.toml, for editors")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.stages.ruleset import configuration_in_force
    from urlset.text.safe import json_text

    output = Output()
    if configuration.options.schema:
        from urlset.options.editor_schema import schema

        output.write([json_text(schema(), ascii_only=not output.unicode)])
    else:
        settings = configuration_in_force(configuration.of(KeyedOptions))
        output.show("config", configuration.options.format, settings, output.style)
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show the effective configuration: every value with its origin, and the rules whose severity is changed.

    The command line takes precedence over the file, the file over the profile, and the profile over the defaults. An
    error in the file is reported with its key, so this also checks the file, including custom rules.""",
    examples=(
        "urlset config",
        "urlset config --config ci/urlset.toml --profile google",
        "urlset config --schema > urlset.schema.json",
    ),
)
