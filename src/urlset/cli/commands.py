"""The commands, each imported when it is used: `urlset --help` and every other command do without it."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

LARGEST = 2**53
"""No integer of the command line is larger, as none of the configuration file is."""

COMMANDS = {
    "inspect": "Show what sitemaps are and hold.",
    "validate": "Find what is wrong with sitemaps.",
    "discover": "Find the sitemaps of a site.",
    "check": "Score the sitemap of a site.",
    "audit": "Check a site and its listed pages, and keep it.",
    "fix": "Repair sitemaps.",
    "diff": "Show what changed between two sides.",
    "history": "List the runs that a store keeps.",
    "report": "Write the page of a run that a store keeps.",
    "build": "Build sitemaps.",
    "sql": "Ask SQL of sitemaps.",
    "robots": "Show what a robots.txt says, and who may fetch what.",
    "rules": "List the rules.",
    "explain": "Explain a rule.",
    "config": "Show the configuration in force.",
    "cache": "Show or empty the cache of what was fetched.",
}
"""What each is for, in the order of the help. A command is the function of its name in the module of its name."""


class Commands(TyperGroup):
    """All commands: their names are known, what they are is found out when one is asked for."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = _Imported()

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as its parent has it
        """Lists the commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


class _Imported(MutableMapping[str, Any]):
    """The commands by their names; each is imported when it is first looked up."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = dict.fromkeys(COMMANDS)

    def __getitem__(self, name: str) -> Any:
        if self._known[name] is None:
            self._known[name] = _command(name)
        return self._known[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._known[name] = command

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def _command(name: str) -> Any:
    module = import_module(f"urlset.cli.{name}")
    one = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    one.command(name, short_help=COMMANDS[name], epilog=module.EXAMPLES)(getattr(module, name))
    command = typer.main.get_command(one)
    for parameter in command.params:
        if parameter.callback is None:
            parameter.callback = _bounded
    return command


def _bounded(context: Any, parameter: Any, value: Any) -> Any:
    """Refuses integers that neither a column nor a library can hold."""
    if isinstance(value, int) and value > LARGEST:
        raise typer.BadParameter(f"must be at most {LARGEST:,}", ctx=context, param=parameter)
    return value
