"""`urlset man`: show or write the manual pages, from the declarations that the help is made of."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import Command, CommandSpec, default_of, ordered, placeholder
from urlset.cli.commands import COMMANDS, EXAMPLES, EXIT_STATUS, NAMES
from urlset.cli.roff import bold, italic, literal, prose, shown
from urlset.errors import ExitCode, OutputError, UsageError, reason_of
from urlset.options.convert import hint
from urlset.options.declare import (
    COMMAND_LINE,
    REQUIRED,
    Names,
    OptionFacts,
    OptionGroup,
    Panel,
    Text,
    option,
    option_group,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import click

    from urlset.options.declare import Option
    from urlset.options.resolve import Resolved

PURPOSE = "build, validate, repair, and audit XML sitemaps"
"""What the NAME of urlset(1) says."""


@option_group
class Options(OptionGroup):
    """Options of `urlset man`."""

    command: Text | None = option(
        None,
        OptionFacts(
            help="A command; without one, the page of urlset itself",
            panel=Panel.TARGETS,
            metavar="COMMAND",
            faces=COMMAND_LINE,
            positional=True,
            names=Names.COMMANDS,
        ),
    )
    write: Path | None = option(
        None,
        OptionFacts(
            help="Write all pages to DIR: urlset.1, urlset-validate.1, and so on",
            panel=Panel.OUTPUT,
            metavar="DIR",
            faces=COMMAND_LINE,
        ),
    )

    def check(self) -> None:
        """Check that the command exists, and that it is not combined with --write.

        Raises:
            UsageError: It does not exist, or would be ignored.
        """
        if self.command is not None and self.write is not None:
            raise UsageError(f"--write writes all pages; omit {self.command}")
        if self.command not in (None, *NAMES):
            raise UsageError(f"no such command {self.command!r}{hint(str(self.command), NAMES)}")


def run(resolved: Resolved[Options]) -> ExitCode:
    """Show a page, or write all of them."""
    from urlset.cli.output import Output, complain
    from urlset.sizes import counted

    options = resolved.options
    if options.write is None:
        Output().write(page(options.command))
        return ExitCode.CLEAN
    written = list(_written(options.write))
    complain(f"wrote {counted(len(written), 'manual page')} to {options.write}")
    return ExitCode.CLEAN


def _written(folder: Path) -> Iterator[Path]:
    """Write all pages, and return their paths."""
    from urlset.publish import publish

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be created: {reason_of(error)}") from None
    for name in (None, *NAMES):
        path = folder / f"{_title(name)}.1"
        publish(path, "".join(f"{line}\n" for line in page(name)).encode("ascii"))
        yield path


def page(name: str | None) -> Iterator[str]:
    """Return the lines of a manual page.

    Args:
        name: The command; None for urlset itself.
    """
    from importlib.metadata import version

    yield f'.TH "{literal(_title(name).upper())}" 1 "{_today()}" "urlset {version("urlset")}" "urlset manual"'
    yield from (
        _own_page() if name is None else _command_page(Command(name, import_module(f"urlset.cli.{name}").COMMAND))
    )
    yield ".SH SEE ALSO"
    others = [None, *NAMES] if name is not None else NAMES
    pages = [f"{bold(_title(each))}(1)" for each in others if each != name]
    yield from (f"{each}," for each in pages[:-1])
    yield pages[-1]


def _today() -> str:
    """Return the date of the pages: today, or for packages that build the same bytes again, SOURCE_DATE_EPOCH.

    Raises:
        UsageError: SOURCE_DATE_EPOCH is not a number of seconds.
    """
    import os
    from datetime import UTC, datetime

    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        when = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"SOURCE_DATE_EPOCH: must be a number of seconds, not {epoch!r}") from None
    return when.date().isoformat()


def _title(name: str | None) -> str:
    return "urlset" if name is None else f"urlset-{name}"


def _own_page() -> Iterator[str]:
    import click

    from urlset.cli.main import HELP, app

    yield from _opening("urlset", PURPOSE, "urlset", r"[\fIOPTIONS\fR] \fICOMMAND\fR [\fIARGS\fR]...")
    yield from _paragraphs([HELP])
    yield ".SH COMMANDS"
    for title, commands in COMMANDS.items():
        yield f".SS {literal(title)}"
        for name, what in commands.items():
            yield from _item(bold(name), f"{what} See {_title(name)}(1).")
    yield ".SH OPTIONS"
    with click.Context(app, info_name="urlset") as context:
        rows = [record for each in app.get_params(context) if (record := each.get_help_record(context)) is not None]
    for names, what in rows:
        yield from _item(", ".join(map(bold, names.split(", "))), what)
    yield from _exit_status("")
    yield from _examples(EXAMPLES)


def _command_page(command: Command[OptionGroup]) -> Iterator[str]:
    spec = command.spec
    [purpose] = [commands[command.name] for commands in COMMANDS.values() if command.name in commands]
    arguments = " ".join(
        placeholder(each).replace(each.facts.metavar, italic(each.facts.metavar))
        for each in command.declared
        if each.facts.positional
    )
    what = purpose[:1].lower() + purpose[1:].removesuffix(".")
    yield from _opening(_title(command.name), what, f"urlset {command.name}", rf"[\fIOPTIONS\fR] {arguments}".rstrip())
    yield from _paragraphs([spec.about, spec.details])
    yield ".SH OPTIONS"
    parameters = {each.name: each for each in command.params}
    for panel in Panel:
        arguments_first = [each for each in command.declared if each.facts.positional and each.facts.panel is panel]
        listed = [*arguments_first, *ordered(panel, command.declared)]
        if listed:
            yield f".SS {literal(panel.value)}"
        for each in listed:
            yield from _item(_head(each, parameters[each.name]), _about(each))
    yield ".SS Help"
    yield from _item(f"{bold('-h')}, {bold('--help')}", "Show a short help and exit.")
    yield from _exit_status(spec.exit_status)
    yield from _examples((*spec.examples, *spec.more_examples))


def _opening(title: str, what: str, command: str, arguments: str) -> Iterator[str]:
    yield ".SH NAME"
    yield rf"{literal(title)} \- {literal(what)}"
    yield ".SH SYNOPSIS"
    yield f"{bold(command)} {arguments}"
    yield ".SH DESCRIPTION"


def _paragraphs(texts: Iterable[str]) -> Iterator[str]:
    paragraphs = [each for text in texts for each in text.strip().split("\n\n") if each]
    for number, paragraph in enumerate(paragraphs):
        if number:
            yield ".PP"
        yield from prose(paragraph)


def _item(head: str, about: str) -> Iterator[str]:
    yield ".TP"
    yield head
    yield from prose(about)


def _head(option: Option, parameter: click.Parameter) -> str:
    """Return the spellings of an option, and the placeholder of its value."""
    if option.facts.positional:
        return italic(option.facts.metavar)
    names = ", ".join(map(bold, (*parameter.opts, *parameter.secondary_opts)))
    is_flag = bool(getattr(parameter, "is_flag", False))
    return names if is_flag else f"{names} {italic(option.facts.metavar or 'VALUE')}"


def _about(option: Option) -> str:
    facts = option.facts
    default = default_of(option)
    return " ".join(
        filter(
            None,
            (
                f"{facts.help}.",
                facts.more,
                f"Default: {default}." if default else _when_omitted(option),
                f"The environment variable {facts.envvar} also sets it." if facts.envvar else "",
            ),
        )
    )


def _when_omitted(option: Option) -> str:
    if option.default is REQUIRED and not option.facts.positional:
        return "Required."
    return "On by default." if option.default is True else ""


def _exit_status(text: str) -> Iterator[str]:
    yield ".SH EXIT STATUS"
    if text:
        yield from prose(text)
        return
    for code, meaning in EXIT_STATUS.items():
        yield from _item(bold(str(code)), f"{meaning[:1].upper()}{meaning[1:]}.")


def _examples(examples: Iterable[str]) -> Iterator[str]:
    yield ".SH EXAMPLES"
    yield ".nf"
    yield from (shown(literal(each)) for each in examples)
    yield ".fi"


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show the manual page of urlset or of a command, as roff; or write all pages to a directory.

    The pages have all options and details, like `urlset help COMMAND`. Packages install them as man1.""",
    examples=(
        "urlset man validate | man -l -",
        "urlset man --write ~/.local/share/man/man1",
    ),
)
