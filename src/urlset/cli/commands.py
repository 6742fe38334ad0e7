"""The commands, each imported when it is used: `urlset --help` and every other command do without it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMANDS = {
    "Read": {
        "inspect": "Show what sitemaps contain.",
        "validate": "Check sitemaps against the protocol and search engine requirements.",
        "check": "Score the sitemap of a site.",
        "audit": "Check a site and the pages its sitemaps list, and keep the result.",
        "discover": "Find the sitemaps of a site.",
        "robots": "Show what a robots.txt says, and who may fetch what.",
    },
    "Write": {
        "build": "Build sitemaps.",
        "fix": "Repair sitemaps.",
    },
    "Keep": {
        "history": "List the runs in a store.",
        "diff": "Compare two sitemaps, directories, sites, or runs.",
        "report": "Write the HTML report of a run.",
        "sql": "Query sitemaps with SQL.",
    },
    "Reference": {
        "rules": "List the rules.",
        "explain": "Explain a rule.",
        "config": "Show the configuration in force.",
        "cache": "Show or empty the HTTP cache.",
        "help": "List all options of a topic, such as network.",
    },
}
"""What each is for, by job. A command is `COMMAND` of the module of its name."""

NAMES = tuple(name for group in COMMANDS.values() for name in group)


class Commands(click.Group):
    """All commands: the names are known, the rest is imported when one is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as its parent has it
        """Return the names of the commands."""
        return list(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in NAMES:
            return None
        from urlset.cli.command import Command

        return Command(cmd_name, import_module(f"urlset.cli.{cmd_name}").COMMAND)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called; an unknown one gets the nearest name."""
        name = args[0]
        if name not in NAMES and not name.startswith("-"):
            from urlset.options.convert import hint

            raise click.UsageError(f"no such command {name!r}{hint(name, NAMES)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; click would write an empty line at Ctrl-C."""
        from urlset.errors import ExitCode

        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            return ExitCode.INTERRUPTED

    def get_help(self, ctx: click.Context) -> str:
        """Return the help."""
        return "\n".join(self._help_lines(ctx))

    def _help_lines(self, ctx: click.Context) -> Iterator[str]:
        yield f"Usage: {ctx.command_path} [OPTIONS] COMMAND [ARGS]..."
        yield ""
        yield (self.help or "").strip()
        width = max(map(len, NAMES)) + 2
        for title, commands in COMMANDS.items():
            yield ""
            yield f"{title}:"
            for name, what in commands.items():
                yield f"  {name:{width}}{what}"
        yield ""
        yield "Options:"
        rows = [record for each in self.get_params(ctx) if (record := each.get_help_record(ctx)) is not None]
        width = max(len(names) for names, _ in rows) + 2
        for names, what in rows:
            yield f"  {names:{width}}{what}"
        yield ""
        yield (self.epilog or "").strip("\n")
