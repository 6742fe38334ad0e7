"""`urlset rules`: list the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, Format, format_option
from urlset.errors import ExitCode
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import option_group
from urlset.options.judging import ProfileOptions
from urlset.options.verbs import ValidateOptions

if TYPE_CHECKING:
    from urlset.options.resolve import Resolved


@option_group
class Options(ProfileOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset rules`."""

    format: Format = format_option()


def run(resolved: Resolved[Options]) -> ExitCode:
    """List the rules."""
    from urlset.cli.output import Output
    from urlset.pipeline.ruleset import listed_rules

    output = Output(resolved.options.color)
    output.show("rules", resolved.options.format, listed_rules(resolved.of(ValidateOptions)), output.style)
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""List all rules: code, severity, name, and what each one finds.

    The severities are those in effect. If the configuration or the profile changes one, the default is shown next to
    it.""",
    examples=("urlset rules", "urlset rules --profile google", "urlset rules --format json"),
)
