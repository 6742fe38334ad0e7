"""The command `urlset`, which imports each of its commands when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from urlset.cli.commands import EXAMPLES, EXIT_STATUS, NAMES, PURPOSES, WIDTH, command_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click.shell_completion import CompletionItem

    from urlset.report.paint import Paint


class Commands(click.Group):
    """All commands. Their names are listed here; the rest is imported when one is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as its parent has it
        return list(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in NAMES:
            return None
        from urlset.cli.command import import_command

        return import_command(cmd_name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command, without importing it, or an option."""
        from click.shell_completion import CompletionItem

        items = [CompletionItem(name, help=what) for name, what in PURPOSES.items() if name.startswith(incomplete)]
        # Not those of `click.Group`, which are the same names.
        return [*items, *super(click.Group, self).shell_complete(ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called; for an unknown one, suggest another."""
        name = args[0]
        if name not in NAMES and not name.startswith("-"):
            from urlset.cli.suggestions import for_command

            raise click.UsageError(f"no such command {name!r}{for_command(name)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command. On Ctrl-C, click would write an empty line."""
        from urlset.errors import ExitCode

        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            return ExitCode.INTERRUPTED

    def get_help(self, ctx: click.Context) -> str:
        from urlset.cli.output import paint_of_help

        return "\n".join(self._help_lines(ctx, paint_of_help()))

    def _help_lines(self, ctx: click.Context, paint: Paint) -> Iterator[str]:
        from textwrap import wrap

        from urlset.report.paint import Role

        yield f"{paint('Usage:', Role.HEADING)} {ctx.command_path} [OPTIONS] COMMAND [ARGS]..."
        yield ""
        yield (self.help or "").strip()
        yield ""
        yield from command_lines(paint)
        yield ""
        yield paint("Options:", Role.HEADING)
        rows = [record for parameter in self.get_params(ctx) if (record := parameter.get_help_record(ctx)) is not None]
        width = max(len(names) for names, _ in rows) + 2
        for names, what in rows:
            yield f"  {paint(names, Role.PLACE)}{'':{width - len(names)}}{what}"
        yield ""
        yield paint("Examples:", Role.HEADING)
        yield from (f"  {example}" for example in EXAMPLES)
        yield ""
        yield paint("Exit status:", Role.HEADING)
        for code, meaning in EXIT_STATUS.items():
            yield from wrap(meaning, WIDTH, initial_indent=f"  {code:<5}", subsequent_indent=" " * 7)
