"""`urlset help`: show the full help of a command, or all options of a topic."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from urlset.cli.command import (
    CommandGroup,
    CommandSpec,
    command_line_options,
    import_command,
    panel_lines,
    settings_of,
)
from urlset.errors import ExitCode, UsageError
from urlset.options.convert import hint
from urlset.options.declare import (
    COMMAND_LINE,
    Names,
    OptionFacts,
    OptionGroup,
    Panel,
    Text,
    option,
    option_group,
)

if TYPE_CHECKING:
    from urlset.options.declare import Option
    from urlset.options.resolve import ResolvedOptions


JSON = "json"
"""The topic of the JSON Schemas."""


@option_group
class Options(OptionGroup):
    """Options of `urlset help`."""

    topic: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="A command, a heading of the options, such as network, or json and a command",
            panel=Panel.TARGETS,
            metavar="TOPIC",
            faces=COMMAND_LINE,
            positional=True,
            names=Names.TOPICS,
        ),
    )


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.commands import NAMES, command_lines
    from urlset.cli.output import Output, paint_of_help

    paint = paint_of_help()
    # A command of the same name, such as `rules`, has its own help.
    names = {panel.value.lower(): panel for panel in Panel}
    options = _options_by_panel()
    topics = {name: panel for name, panel in names.items() if name not in NAMES and panel in options}
    if not configuration.options.topic:
        lines = [f"  urlset help {name}" for name in (*topics, JSON)]
        Output().write([*command_lines(paint), "", "Topics:", *lines])
        return ExitCode.CLEAN
    topic, *more = configuration.options.topic
    if topic == JSON:
        Output().write(_schema_lines(" ".join(more)))
        return ExitCode.CLEAN
    command = import_command(topic) if topic in NAMES else None
    if isinstance(command, CommandGroup) and more and more[0] in command.subcommands:
        command = command.subcommands[more[0]]
        more = more[1:]
    if more:
        raise UsageError(f"unexpected argument {more[0]!r} after {topic!r}; show one topic at a time")
    if command is not None:
        Output().write(command.help_lines(f"urlset {command.name}", paint, is_full=True))
        return ExitCode.CLEAN
    if topic.lower() not in topics:
        raise UsageError(f"no such topic {topic!r}{hint(topic, topics) or '; topics: ' + ', '.join(topics)}")
    panel = topics[topic.lower()]
    Output().write([*panel_lines(panel, tuple(options[panel].values()), paint)][1:])
    return ExitCode.CLEAN


def _schema_lines(name: str) -> list[str]:
    """Return the JSON Schema of the output of a command; without a name, the commands that have one."""
    from urlset.report.json_schema import names, schema
    from urlset.text.safe import json_text

    command_names = names()
    if not name:
        return ["JSON Schemas of --format json:", *(f"  urlset help {JSON} {each}" for each in command_names)]
    if name not in command_names:
        raise UsageError(
            f"no JSON Schema of {name!r}{hint(name, command_names) or f'; `urlset help {JSON}` lists them'}"
        )
    return [json_text(schema(name))]


def _options_by_panel() -> dict[Panel, dict[str, Option]]:
    """Return the options of all commands, each once, by panel and name."""
    from urlset.cli.commands import NAMES

    by_panel: defaultdict[Panel, dict[str, Option]] = defaultdict(dict)
    for name in NAMES:
        if name != "help":
            spec = import_command(name).spec
            for options in (spec.options, *(one.options for one in spec.commands.values())):
                for each in (*command_line_options(options), *settings_of(options)):
                    if not each.facts.positional:
                        by_panel[each.facts.panel][each.name] = each
    return by_panel


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show the full help of a command, all options of a topic, or the JSON Schema of the output of a command.

    It includes the details and rarely needed options that `urlset COMMAND --help` leaves out. Without a TOPIC, the
    commands and topics are listed; `urlset help json` lists the JSON Schemas.""",
    examples=("urlset help validate", "urlset help network", "urlset help json history"),
)
