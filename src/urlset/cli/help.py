"""`urlset help`: show the options of a command, all about one of them, or all options of a topic."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from urlset.cli.command import (
    CommandGroup,
    CommandSpec,
    command_line_options,
    import_command,
    panel_lines,
    settings_of,
)
from urlset.cli.show import output_option
from urlset.cli.suggestions import for_topic
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
    from collections.abc import Iterator, Sequence

    from urlset.cli.command import Command
    from urlset.options.declare import Option
    from urlset.options.resolve import ResolvedOptions
    from urlset.report.paint import Paint


JSON = "json"
"""The topic of the JSON Schemas."""

MAX_LINES = 100
"""Lines of a full help that is shown without `--full`: two screens."""


@option_group
class Options(OptionGroup):
    """Options of `urlset help`."""

    topic: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="A command, a command and its option, a heading of options, such as network, or json and a command",
            panel=Panel.TARGETS,
            metavar="TOPIC",
            faces=COMMAND_LINE,
            positional=True,
            names=Names.TOPICS,
        ),
    )
    full: bool = output_option(False, "Show all about every option of a command, also if it is long")


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
    if len(more) > (command is not None):
        raise UsageError(f"unexpected argument {more[-1]!r} after {topic!r}; show one topic at a time")
    if command is not None:
        Output().write(_command_lines(command, more, paint, is_full=configuration.options.full))
        return ExitCode.CLEAN
    if topic.lower() not in topics:
        known = (*NAMES, *topics, JSON)
        advice = for_topic(topic.lower(), known) or "; `urlset help` lists the commands and topics"
        raise UsageError(f"no such command or topic {topic!r}{advice}")
    panel = topics[topic.lower()]
    Output().write([*panel_lines(panel, tuple(options[panel].values()), paint)][1:])
    return ExitCode.CLEAN


def _command_lines(command: Command[Any], names: Sequence[str], paint: Paint, *, is_full: bool) -> Iterator[str]:
    """Return the help of a command or of one of its options. If it is long, each option has one line."""
    path = f"urlset {command.name}"
    if names:
        yield from command.detail_lines(names[0], paint)
        return
    lines = tuple(command.help_lines(path, paint, is_full=True))
    yield from lines if is_full or len(lines) <= MAX_LINES else command.list_lines(path, paint)


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
    about="""Show all options of a command or topic, all about one option, or the JSON Schema of an output.

    It includes the options that `urlset COMMAND --help` leaves out. If the full help of a command is longer than two
    screens, each option has one line, unless --full is given. Without a TOPIC, the commands and topics are listed;
    `urlset help json` lists the JSON Schemas.""",
    examples=(
        "urlset help build",
        "urlset help build --lastmod",
        "urlset help build --full",
        "urlset help network",
        "urlset help json history",
    ),
    takes_options=True,
)
