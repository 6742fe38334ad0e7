"""`urlset rules`: list the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, Format, format_option
from urlset.errors import ExitCode
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, Names, OptionFacts, Panel, Text, option, option_group
from urlset.options.judging import ProfileOptions
from urlset.options.verbs import ValidateOptions

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions
    from urlset.rules.rule import Rule


@option_group
class Options(ProfileOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset rules`."""

    prefixes: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Only rules whose code or name starts with this, such as PGE or page-",
            panel=Panel.TARGETS,
            metavar="PREFIX",
            faces=COMMAND_LINE,
            positional=True,
            names=Names.RULES,
        ),
    )
    format: Format = format_option(Format.TEXT)


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.rules.registry import unknown_rule
    from urlset.stages.ruleset import listed_rules

    output = Output(configuration.options.color)
    rules = listed_rules(configuration.of(ValidateOptions))
    prefixes = tuple(prefix.strip().upper() for prefix in configuration.options.prefixes)
    for prefix in prefixes:
        if not any(_starts(rule.rule, (prefix,)) for rule in rules):
            raise unknown_rule(prefix, [rule.rule for rule in rules])
    selected_rules = tuple(rule for rule in rules if not prefixes or _starts(rule.rule, prefixes))
    output.show("rules", configuration.options.format, selected_rules, output.style)
    return ExitCode.CLEAN


def _starts(rule: Rule, prefixes: tuple[str, ...]) -> bool:
    return rule.code.startswith(prefixes) or rule.name.upper().startswith(prefixes)


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""List all rules: code, severity, name, and what each one finds.

    The severities are those in effect. If the configuration or the profile changes one, the default is shown next to
    it.""",
    examples=("urlset rules", "urlset rules PGE", "urlset rules --profile google", "urlset rules --format json"),
)
