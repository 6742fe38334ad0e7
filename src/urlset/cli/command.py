"""A command, made from the options that its verb declares."""

from __future__ import annotations

import textwrap
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click
from click.core import ParameterSource
from msgspec import Struct, inspect

from urlset.cli.commands import NAMES, PURPOSES, WIDTH
from urlset.cli.output import complain
from urlset.cli.show import StoreOptions, with_named_store
from urlset.errors import ExitCode, UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.convert import (
    arguments_of,
    check_user,
    choices,
    convert_value,
    converted_text,
    hint,
    kind,
    record_of,
)
from urlset.options.declare import Face, Names, Option, OptionGroup, Panel, option_group, options_of
from urlset.options.outputs import check_files
from urlset.options.resolve import ResolvedOptions, configuration, resolve
from urlset.options.values import REQUIRED
from urlset.report.paint import Paint, Role, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from click.shell_completion import CompletionItem

V = TypeVar("V", bound=OptionGroup)

INDENT = 30
"""Column that the help of an option starts at."""

LARGE = 128 * 1024
"""Bytes from which memory goes back to the system as soon as it is free."""

FIRST = (
    "select",
    "ignore",
    "profile",
    "severity",
    "require",
    "format",
    "output",
    "out",
    "base_url",
    "robots",
    "agents",
    "report",
    "statistics",
    "fail_on",
    "max_warnings",
    "max_examples",
    "verbose",
)
"""Options that come first in their panel, in this order; the others follow as they are declared."""

HANGING = " " * 6
"""Indentation of the line that names the rare options of a panel."""


@option_group
class NoOptions(OptionGroup):
    """The options of a command that has only subcommands: none."""


class CommandSpec(Struct, Generic[V], frozen=True):
    """The declaration of a command.

    Attributes:
        options: The options that it takes, including those of its verb.
        run: What it does with them; None if it only has subcommands.
        about: Its description: a sentence, a blank line, and more paragraphs.
        details: More paragraphs, for `urlset help COMMAND` and the reference only.
        examples: Command lines to show.
        more_examples: More of them, for `urlset help COMMAND` and the reference only.
        exit_status: The meaning of its exit codes.
        commands: Its subcommands, by name.
        takes_options: Whether options that it does not have are arguments, as in `urlset help build --out`.
    """

    options: type[V]
    run: Callable[[ResolvedOptions[V]], ExitCode] | None
    about: str
    details: str = ""
    examples: tuple[str, ...] = ()
    more_examples: tuple[str, ...] = ()
    exit_status: str = ""
    commands: Mapping[str, CommandSpec[Any]] = {}
    takes_options: bool = False


class Command(click.Command, Generic[V]):
    """A click command whose parameters and help come from declared options."""

    def __init__(self, name: str, spec: CommandSpec[V]) -> None:
        self.spec = spec
        super().__init__(
            name,
            params=[_parameter(option) for option in self.options],
            callback=self._call,
            help=spec.about,
            context_settings={"help_option_names": ["-h", "--help"], "ignore_unknown_options": spec.takes_options},
        )

    @cached_property
    def options(self) -> tuple[Option, ...]:
        return command_line_options(self.spec.options)

    @property
    def settings(self) -> tuple[Option, ...]:
        """The options of the command that are not on the command line, and that `--set` sets."""
        return settings_of(self.spec.options)

    def suggestion(self, name: str) -> str:
        """Return what may be meant by an option that the command does not have: `; did you mean 'X'?`, or nothing."""
        from urlset.cli.suggestions import for_option, for_setting

        for option in self.settings:
            if name in (f"--{option.key}", f"--no-{option.key}"):
                return for_setting(option, is_off=name.startswith("--no-"))
        arguments = [str(param.name) for param in self.params if isinstance(param, click.Argument)]
        if name.removeprefix("--") in arguments:
            return f"; give it without {name}: urlset {self.name} {' '.join(arguments).upper()}"
        words = {f"--{option.key}": choices(option.annotation) for option in self.options}
        options = [param for param in self.params if isinstance(param, click.Option)]
        spellings = [spelled for param in options for spelled in (*param.opts, *param.secondary_opts)]
        return for_option(name, self.name or "", {spelled: words.get(spelled, ()) for spelled in spellings})

    def _call(self, **values: object) -> ExitCode:
        arguments = {name: value for name, value in values.items() if value is not None and value != ()}
        texts = arguments.pop("settings", ())
        for option in self.options:
            if option.default is REQUIRED and option.name not in arguments:
                raise click.UsageError(f"missing option --{option.key}", click.get_current_context())
        from urlset import _core

        arguments |= self._collect_items(arguments)
        if isinstance(texts, tuple) and texts:
            arguments |= self._set(texts, arguments)
        in_force = self.resolve(_with_page(arguments, self.spec.options))
        check_files(in_force.options)
        _core.return_large_memory(LARGE)
        assert self.spec.run is not None
        return self.spec.run(in_force)

    def get_help(self, ctx: click.Context) -> str:
        """Return the help without the space that click puts around it."""
        from urlset.cli.output import paint_of_help

        return "\n".join(self.help_lines(ctx.command_path, paint_of_help(is_allowed=ctx.color is not False)))

    def resolve(self, arguments: Mapping[str, object]) -> ResolvedOptions[V]:
        """Put the command line and the configuration file together.

        Raises:
            UsageError: Options are wrong or contradict each other.
            ConfigError: The configuration file is wrong.
        """
        file = None
        if issubclass(self.spec.options, ConfiguringOptions):
            path, without = arguments.get("config"), bool(arguments.get("no_config"))
            if path is not None and without:
                raise UsageError("--config and --no-config cannot be combined")
            file = configuration(path if isinstance(path, Path) else None, search=not without, on_skipped=complain)
        resolved = resolve(self.spec.options, file, arguments)
        return with_named_store(resolved) if issubclass(self.spec.options, StoreOptions) else resolved

    def _collect_items(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """Return the lists and mappings whose items are given one by one."""
        merged: dict[str, object] = {}
        for option in self.options:
            pairs = arguments.get(option.name)
            if option.facts.commas and isinstance(pairs, tuple):
                merged[option.name] = _split_items(option, pairs)
            elif isinstance(kind(option.annotation), inspect.DictType) and isinstance(pairs, tuple):
                merged[option.name] = convert_value(option, _mapping(option, pairs), f"--{option.key}")
        return merged

    def _set(self, texts: tuple[str, ...], arguments: Mapping[str, object]) -> dict[str, object]:
        """Return the values of `--set`.

        Raises:
            UsageError: One is wrong, or sets what an option sets as well.
        """
        from urlset.options.setting import set_values

        values = set_values(texts, options_of(self.spec.options), str(self.name))
        context = click.get_current_context()
        for option in self.options:
            is_option = context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
            if option.name in values and option.name in arguments and is_option:
                raise UsageError(f"--{option.key} and --set {option.setting} cannot be combined")
        return values

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, after noting whether the help can be colored, which --help shows before the rest."""
        ctx.color = not _is_uncolored(args)
        return super().parse_args(ctx, args)

    def help_lines(self, path: str, paint: Paint = plain, *, is_full: bool = False) -> Iterator[str]:
        """Return the lines of the help.

        Args:
            path: The command as it is called.
            is_full: Whether to include details, rare options, and more examples.
        """
        yield self._usage(path, paint)
        texts = [self.spec.about, self.spec.details] if is_full else [self.spec.about]
        for paragraph in (part for text in texts for part in text.strip().split("\n\n") if part):
            yield ""
            yield from textwrap.wrap(" ".join(paragraph.split()), WIDTH, break_on_hyphens=False)
        if self.spec.commands:
            yield ""
            yield paint("Commands:", Role.HEADING)
            for name, spec in self.spec.commands.items():
                yield from _described(f"  {name}", first_sentence(spec), paint)
        listed = (*self.options, *self.settings) if is_full else self.options
        for panel in Panel:
            yield from panel_lines(panel, listed, paint, command=None if is_full else self.name)
            if panel is Panel.CONFIGURATION:
                if not any(option.facts.panel is panel for option in self.options):
                    yield ""
                yield from _described("  -h, --help", self._about_help(is_full=is_full), paint)
                if not is_full:
                    yield from self._other_rare_lines()
        if self.spec.exit_status:
            yield ""
            first, *more = textwrap.wrap(f"Exit status: {self.spec.exit_status}", WIDTH)
            yield first.replace("Exit status:", paint("Exit status:", Role.HEADING), 1)
            yield from more
        examples = (*self.spec.examples, *(self.spec.more_examples if is_full else ()))
        if examples:
            yield ""
            yield paint("Examples:", Role.HEADING)
            yield from (f"  {example}" for example in examples)

    def list_lines(self, path: str, paint: Paint = plain) -> Iterator[str]:
        """Return the lines of a help with every option in one line, those that are often needed first.

        Args:
            path: The command as it is called.
        """
        yield self._usage(path, paint)
        yield ""
        yield from textwrap.wrap(first_sentence(self.spec), WIDTH, break_on_hyphens=False)
        for panel in Panel:
            listed = options_of_panel(panel, self.options)
            if listed or panel is Panel.CONFIGURATION:
                yield ""
                yield paint(f"{panel.value}:", Role.HEADING)
            yield from (_line(option, paint) for option in sorted(listed, key=lambda option: option.facts.rare))
            if panel is Panel.CONFIGURATION:
                if self.settings:
                    yield from _hanging(f"Keys for --set: {', '.join(option.setting for option in self.settings)}")
                yield from _described("  -h, --help", "Show a shorter help, with examples", paint)
        yield ""
        topic = f"urlset help {self.name}"
        yield from _hanging(f"`{topic} OPTION` shows the details of one option, `{topic} --full` those of all.", "")

    def detail_lines(self, name: str, paint: Paint = plain) -> Iterator[str]:
        """Return the lines on one option, with all that its declaration says.

        Args:
            name: The option with or without its dashes, or a key that `--set` sets.

        Raises:
            UsageError: The command has no such option.
        """
        listed = [option for option in (*self.options, *self.settings) if not option.facts.positional]
        wanted = name.lstrip("-")
        for option in listed:
            if wanted in (option.key, option.facts.short, option.setting, f"no-{option.key}"):
                break
        else:
            names = [each for option in listed for each in (option.key, option.setting)]
            raise UsageError(
                f"urlset {self.name} has no option {name!r}{hint(wanted, names)}; `urlset help {self.name}` lists them"
            )
        yield from _record(option, paint)
        indent = " " * INDENT
        yield from _hanging(option.facts.more, indent)
        if words := choices(option.annotation):
            yield from _hanging(f"Values: {', '.join(words)}", indent)
        if Face.FILE in option.facts.faces:
            yield f"{indent}Key in urlset.toml: {option.setting}"

    def _usage(self, path: str, paint: Paint) -> str:
        return f"{paint('Usage:', Role.HEADING)} {path} [OPTIONS] {self._arguments()}".rstrip()

    def _arguments(self) -> str:
        """Return the arguments as the usage shows them."""
        if self.spec.commands:
            return "COMMAND" if self.spec.run is None else "[COMMAND]"
        return " ".join(placeholder(option) for option in self.options if option.facts.positional)

    def _other_rare_lines(self) -> Iterator[str]:
        """Return the lines that name the rare options of panels without other options."""
        for panel in Panel:
            listed = options_of_panel(panel, self.options)
            if all(option.facts.rare for option in listed):
                yield from _rare_lines(panel, listed, str(self.name))

    def _about_help(self, *, is_full: bool) -> str:
        is_short = any(option.facts.rare for option in self.options) or self.settings
        has_more = self.spec.details or self.spec.more_examples or is_short
        if is_full or not has_more:
            return "Show this help"
        return f"Show this help; `urlset help {self.name}` shows all options"


class CommandGroup(Command[V], click.Group):
    """A command with subcommands, such as `urlset coverage import`."""

    def __init__(self, name: str, spec: CommandSpec[V]) -> None:
        super().__init__(name, spec)
        self.subcommands = {word: make_command(f"{name} {word}", each) for word, each in spec.commands.items()}
        self.commands = dict[str, click.Command](self.subcommands)
        self.invoke_without_command = spec.run is not None
        self.no_args_is_help = spec.run is None

    def _call(self, **values: object) -> ExitCode:
        is_of_another = click.get_current_context().invoked_subcommand is not None
        return ExitCode.CLEAN if is_of_another else super()._call(**values)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as its parent has it
        return list(self.commands)

    def suggestion(self, name: str) -> str:
        """Suggest the subcommand that has an option that the command does not have."""
        for each in self.commands.values():
            if any(name in param.opts for param in each.params):
                return f"; it is an option of `urlset {each.name}`"
        return super().suggestion(name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Options of a subcommand may also come before its name."""
        place = self._place_of_command(args)
        if place is not None:
            args = [args[place], *args[:place], *args[place + 1 :]]
        return super().parse_args(ctx, args)

    def _place_of_command(self, args: Sequence[str]) -> int | None:
        """Return the place of the first argument that is the name of a subcommand, and not the value of an option."""
        commands: tuple[click.Command, ...] = (self, *self.commands.values())
        options = [each for command in commands for each in command.params if isinstance(each, click.Option)]
        with_value = {name for option in options if not option.is_flag for name in option.opts}
        for place, (before, word) in enumerate(pairwise(("", *args))):
            if word in self.commands and before not in with_value:
                return place
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called; for an unknown one, name the others."""
        if args[0] not in self.commands and not args[0].startswith("-"):
            suggestion = hint(args[0], self.commands) or f"; commands: {', '.join(self.commands)}"
            raise click.UsageError(f"no such command '{self.name} {args[0]}'{suggestion}", ctx)
        return super().resolve_command(ctx, args)


def make_command(name: str, spec: CommandSpec[V]) -> Command[V]:
    """Return the command of a declaration, with its subcommands."""
    return CommandGroup(name, spec) if spec.commands else Command(name, spec)


def import_command(name: str) -> Command[Any]:
    """Import a command by its name."""
    return make_command(name, import_module(f"urlset.cli.{name.replace('-', '_')}").COMMAND)


def first_sentence(spec: CommandSpec[Any]) -> str:
    """Return the purpose of a command."""
    return " ".join(spec.about.partition("\n\n")[0].split())


def command_line_options(options: type[OptionGroup]) -> tuple[Option, ...]:
    """Return the options that a command has, without those that only the file or Python can set."""
    return tuple(option for option in options_of(options) if Face.COMMAND_LINE in option.facts.faces)


def settings_of(options: type[OptionGroup]) -> tuple[Option, ...]:
    """Return the options that only `--set` sets on the command line. Tables such as `[[rule]]` are for the file."""
    return tuple(option for option in options_of(options) if option.is_setting and record_of(option.annotation) is None)


def panel_lines(
    panel: Panel, declared: Iterable[Option], paint: Paint = plain, *, command: str | None = None
) -> Iterator[str]:
    """Return the lines of a panel.

    Args:
        declared: The options of a command, of every panel.
        command: The command, to only name options that are rarely needed, and where they are listed; None to list all.
            A panel with no other options is then empty.
    """
    listed = options_of_panel(panel, declared)
    if not listed or (command is not None and all(option.facts.rare for option in listed)):
        return
    yield ""
    yield paint(f"{panel.value}:", Role.HEADING)
    for option in listed:
        if command is None or not option.facts.rare:
            yield from _record(option, paint)
    if command is not None:
        yield from _rare_lines(panel, listed, command)


def _rare_lines(panel: Panel, listed: Iterable[Option], command: str) -> Iterator[str]:
    """Return the lines that name the rare options of a panel, and the help that describes them."""
    rare = [_help_name(option) for option in listed if option.facts.rare]
    if rare:
        topic = panel.value.lower()
        text = f"See `urlset help {command if topic in NAMES else topic}` for {', '.join(rare)}"
        yield from _hanging(text)


def _hanging(text: str, indent: str = HANGING) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def descriptions_of(names: Names | None) -> dict[str, str]:
    """Return the names that the value of an option can be, for completion, each with what it stands for."""
    match names:
        case Names.RULES:
            from urlset.rules.registry import all_rules

            return {rule.code: rule.message for rule in all_rules()}
        case Names.TOPICS:
            panels = {panel.value.lower(): f"Options under {panel.value}" for panel in Panel}
            return {**panels, **PURPOSES}
        case Names.KEYS | None:
            return {}


def options_of_panel(panel: Panel, declared: Iterable[Option]) -> list[Option]:
    """Return the options of a panel, without arguments, in the order in which they are listed."""
    listed = [option for option in declared if option.facts.panel is panel and not option.facts.positional]
    return sorted(listed, key=lambda option: FIRST.index(option.name) if option.name in FIRST else len(FIRST))


class _Value(click.ParamType[object]):
    """The value of an option, checked as every face checks it."""

    def __init__(self, option: Option) -> None:
        self.option = option
        self.name = option.facts.metavar or option.key

    def convert(
        self,
        value: object,
        param: click.Parameter | None,  # noqa: ARG002 - as its parent has it
        ctx: click.Context | None,
    ) -> object:
        """Convert one value.

        Raises:
            click.UsageError: It is wrong.
        """
        is_merged = self.option.facts.commas or isinstance(kind(self.option.annotation), inspect.DictType)
        if not isinstance(value, str) or is_merged:
            return value
        try:
            place = self.option.facts.metavar if self.option.facts.positional else f"--{self.option.key}"
            return converted_text(self.option, value, place)
        except UsageError as error:
            raise click.UsageError(str(error), ctx) from None

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 - as its parent has it
        incomplete: str,
    ) -> list[CompletionItem]:
        """Complete one of a few words, a name, or a path."""
        from click.shell_completion import CompletionItem

        words = dict.fromkeys(choices(self.option.annotation), "") or descriptions_of(self.option.facts.names)
        if self.option.facts.names is Names.KEYS and isinstance(ctx.command, Command):
            words = {f"{setting.setting}=": setting.facts.help for setting in ctx.command.settings}
        if words:
            # Of a list with commas, the last item is completed. Codes are accepted in any case.
            before = incomplete[: incomplete.rfind(",") + 1] if self.option.facts.commas else ""
            start = incomplete.removeprefix(before).lower()
            return [
                CompletionItem(before + word, help=what)
                for word, what in words.items()
                if word.lower().startswith(start)
            ]
        is_path = isinstance(kind(self.option.annotation), inspect.CustomType)
        return [CompletionItem(incomplete, type="file")] if is_path or self.option.facts.positional else []


def _parameter(option: Option) -> click.Parameter:
    info = kind(option.annotation)
    several = isinstance(info, inspect.VarTupleType | inspect.DictType)
    if option.facts.positional:
        nargs = -1 if several else 1
        return click.Argument(
            [option.name],
            nargs=nargs,
            required=option.default is REQUIRED,
            type=_Value(option),
            metavar=placeholder(option),
        )
    envvar = option.facts.envvar or None
    if isinstance(info, inspect.BoolType):
        # There is no --no-no-store.
        no = "" if option.key.startswith("no-") else f"/--no-{option.key}"
        return click.Option(
            [*_short_forms(option), f"--{option.key}{no}", option.name],
            is_flag=True,
            default=None,
            help=option.facts.help,
        )
    return click.Option(
        [*_short_forms(option), f"--{option.key}", option.name],
        type=_Value(option),
        multiple=several,
        default=None,
        envvar=envvar,
        help=option.facts.help,
    )


def _short_forms(option: Option) -> list[str]:
    return [f"-{option.facts.short}"] if option.facts.short else []


def placeholder(option: Option) -> str:
    """Return an argument as the usage shows it: `TARGET...`, `[TOPIC]`."""
    several = isinstance(kind(option.annotation), inspect.VarTupleType)
    name = option.facts.metavar + ("..." if several else "")
    return name if option.default is REQUIRED else f"[{name}]"


def _line(option: Option, paint: Paint) -> str:
    """Return an option in one line, without its default or the end of its text if they do not fit."""
    head, spelled, text, note = _parts(option)
    start = f"{head} " if len(head) >= INDENT else f"{head:{INDENT}}"
    room = WIDTH - len(start)
    shown = f"{text}{note}" if len(text) + len(note) <= room else textwrap.shorten(text, room, placeholder=" …")
    return _with_names(f"{start}{shown}", f"  {spelled}", paint)


def _parts(option: Option) -> tuple[str, str, str, str]:
    """Return the start of the help of an option, its spellings in it, its text, and its default."""
    is_flag = isinstance(kind(option.annotation), inspect.BoolType)
    name = _help_name(option)
    spelled = f"-{option.facts.short}, {name}" if option.facts.short else f"    {name}"
    head = f"  {spelled}" + ("" if is_flag else f" {option.facts.metavar or 'VALUE'}")
    if option.is_setting:
        spelled = f"    {option.spelling}"
        head = f"  {spelled}{setting_value(option)}"
    text = option.facts.without if is_flag and option.default is True else option.facts.help
    default = default_of(option)
    note = f" [default: {default}]" if default else " [required]" if option.default is REQUIRED else ""
    return head, spelled, text, note


def _record(option: Option, paint: Paint) -> Iterable[str]:
    """Return the lines of an option in the help."""
    head, spelled, text, note = _parts(option)
    lines = textwrap.wrap(f"{text}{note}", WIDTH - INDENT, break_on_hyphens=False)
    if len(head) >= INDENT:
        yield _with_names(head, f"  {spelled}", paint)
    else:
        yield _with_names(f"{head:{INDENT}}{lines.pop(0)}", f"  {spelled}", paint)
    yield from (f"{'':{INDENT}}{line}" for line in lines)


def _help_name(option: Option) -> str:
    """Return the spelling that the help shows: for a flag that is on by default, the spelling that turns it off."""
    return f"--no-{option.key}" if option.default is True else f"--{option.key}"


def setting_value(option: Option) -> str:
    """Return the placeholder after a key that `--set` sets: `=SECONDS`; of a table, `.NAME=VALUE`."""
    match kind(option.annotation):
        case inspect.BoolType():
            return "=true"
        case inspect.DictType():
            return f".{option.facts.metavar}"
        case _:
            return f"={option.facts.metavar or 'VALUE'}"


def _described(names: str, text: str, paint: Paint) -> Iterator[str]:
    """Return the lines of names that fit before `INDENT`, and what they stand for."""
    first, *more = textwrap.wrap(text, WIDTH - INDENT, break_on_hyphens=False)
    yield _with_names(f"{names:{INDENT}}{first}", names, paint)
    yield from (f"{'':{INDENT}}{line}" for line in more)


def _with_names(line: str, start: str, paint: Paint) -> str:
    """Return a line with its start, the spellings of an option, in color."""
    names = start.lstrip()
    return line[: len(start) - len(names)] + paint(names, Role.PLACE) + line[len(start) :]


def _is_uncolored(args: Sequence[str]) -> bool:
    return "--no-color" in args or "--color=never" in args or ("--color", "never") in pairwise(args)


def default_of(option: Option) -> str:
    """Return the default as the help shows it; empty where it says nothing."""
    if option.facts.default_text:
        return option.facts.default_text
    value = option.default
    if value in (None, (), {}, "") or isinstance(value, bool) or value is REQUIRED:
        return ""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _split_items(option: Option, texts: tuple[object, ...]) -> tuple[object, ...]:
    """The values of a list that was given one by one or with commas."""
    parts = [part.strip() for text in texts for part in str(text).split(",")]
    return tuple(converted_text(option, part, f"--{option.key}") for part in parts if part)


def _mapping(option: Option, pairs: tuple[object, ...]) -> dict[str, object]:
    """A mapping from its KEY=VALUE items; a list as its value has commas."""
    mapping: dict[str, object] = {}
    value_type = arguments_of(option.annotation)[1]
    for pair in map(str, pairs):
        check_user(option, pair, f"--{option.key}")
        key, sign, value = pair.rpartition("=")
        if not sign or not key:
            raise UsageError(f"--{option.key}: must be written as {option.facts.metavar}, not {pair!r}")
        if isinstance(kind(value_type), inspect.VarTupleType):
            earlier = mapping.get(key, ())
            mapping[key] = (*(earlier if isinstance(earlier, tuple) else ()), *value.split(","))
        elif isinstance(kind(value_type), inspect.UnionType):
            mapping[key] = _limit(value)
        else:
            mapping[key] = value
    return mapping


def _limit(text: str) -> object:
    """A number, or names with commas; rules check which of them a limit takes."""
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return [name.strip() for name in text.split(",") if name.strip()]


def _with_page(arguments: dict[str, object], options: type[OptionGroup]) -> dict[str, object]:
    """Return the options with the HTML report among the files of `--output` as that of `--report`."""
    files = arguments.get("output")
    if (
        not isinstance(files, tuple)
        or "report" in arguments
        or not any(option.name == "report" for option in options_of(options))
    ):
        return arguments
    pages = [file for file in files if str(file).lower().endswith((".html", ".htm")) and ":" not in str(file)[2:]]
    if len(pages) != 1:
        return arguments
    return {**arguments, "output": tuple(file for file in files if file not in pages), "report": Path(pages[0])}
