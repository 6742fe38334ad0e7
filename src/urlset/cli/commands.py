"""The commands. Each is imported when it is used; `urlset --help` and the other commands do not load it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click.shell_completion import CompletionItem

    from urlset.report.paint import Paint

COMMANDS = {
    "Read": {
        "inspect": "Show what sitemaps contain.",
        "validate": "Check sitemaps against the protocol and search engine requirements.",
        "check": "Score the sitemap of a site.",
        "audit": "Check a site and the pages its sitemaps list, and store the result.",
        "discover": "Find the sitemaps of a site.",
        "robots": "Show a robots.txt and which crawlers it allows to fetch which URLs.",
        "logs": "Show which crawlers requested which URLs, according to access logs.",
    },
    "Write": {
        "build": "Build sitemaps.",
        "fix": "Repair sitemaps.",
        "notify": "Tell search engines which URLs changed, with IndexNow.",
    },
    "Keep": {
        "pages": "List the pages that cannot be indexed, and why.",
        "history": "List the runs in a store.",
        "diff": "Compare two sitemaps, directories, sites, or runs.",
        "lastmod": "Show how many lastmod dates of each sitemap are true.",
        "report": "Write the HTML report of a run.",
        "coverage": "Show how many listed URLs are fetched by crawlers, indexable, and indexed.",
        "monitor": "Check sites regularly, and tell only what is new.",
        "metrics": "Print the last round of each monitored site as OpenMetrics.",
        "prune": "Delete old runs of each site in a store.",
        "ignore": "Ignore the findings of a rule until a date.",
        "sql": "Query sitemaps with SQL.",
        "serve": "Open a store in the browser: audits, pages, findings, runs, and SQL.",
    },
    "Reference": {
        "rules": "List the rules.",
        "explain": "Explain a rule.",
        "config": "Show the effective configuration.",
        "cache": "Show or empty the HTTP cache.",
        "skill": "Print a skill file, which tells assistants when to use which command.",
        "mcp": "Serve files and a store to assistants over the Model Context Protocol.",
        "key": "Make a key, with which urlset signs its requests.",
        "help": "Show the full help of a command or topic.",
    },
}
"""The purpose of each command, grouped by job. A command is `COMMAND` of the module of its name."""

EXAMPLES = (
    "urlset validate public/sitemap.xml",
    "urlset validate https://example.com/sitemap_index.xml --format json",
    "urlset inspect public/",
    "urlset discover example.com",
    "urlset check example.com",
    "urlset fix public/ --in-place",
    "urlset build public/ --base-url https://example.com -o public/",
    "urlset inspect sitemap.xml.gz --urls | sort | uniq -d",
    'urlset sql "select host, count(*) from urls group by all" public/',
    "urlset robots https://example.com https://example.com/search?q=a",
    "urlset explain LOC003",
)
"""Command lines to show."""

EXIT_STATUS = {
    0: "no findings at or above --fail-on",
    1: "findings at or above --fail-on",
    2: "usage or configuration error",
    3: "a target could not be read (the others are still reported), memory ran out, or output could not be written",
    4: "internal error; if it affects only one document, page, or site, the rest is still reported",
    130: "interrupted",
}
"""The meaning of the exit codes of all commands."""

WIDTH = 100
"""Columns of a help text."""

NAMES = tuple(name for group in COMMANDS.values() for name in group)


def command_lines(paint: Paint) -> Iterator[str]:
    from urlset.report.paint import Role

    width = max(map(len, NAMES)) + 2
    for number, (title, commands) in enumerate(COMMANDS.items()):
        if number:
            yield ""
        yield paint(f"{title}:", Role.HEADING)
        for name, what in commands.items():
            yield f"  {paint(name, Role.PLACE)}{'':{width - len(name)}}{what}"


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

        purposes = {name: what for commands in COMMANDS.values() for name, what in commands.items()}
        items = [CompletionItem(name, help=what) for name, what in purposes.items() if name.startswith(incomplete)]
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
