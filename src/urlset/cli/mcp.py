"""`urlset mcp`: serve files and a store to assistants over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.errors import ExitCode, InputError, UsageError
from urlset.options.assistants import AssistantOptions
from urlset.options.verbs import ValidateOptions

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


def run(configuration: ResolvedOptions[AssistantOptions]) -> ExitCode:
    import os
    import sys

    from urlset.cli.mcp_server import serve
    from urlset.cli.mcp_tools import Reach
    from urlset.stages.ruleset import check_rules

    try:
        os.read(sys.stdin.fileno(), 0)
    except OSError:
        raise UsageError("standard input is closed; an assistant starts the server, and writes to it") from None
    check_rules(configuration.of(ValidateOptions))
    root = configuration.options.root
    config = None if configuration.file is None else configuration.file.path.absolute()
    try:
        # Answers then name files relative to it.
        os.chdir(root)
    except OSError as error:
        raise InputError(str(root), "no such directory") from error
    serve(Reach(Path.cwd(), config, configuration.explicit, configuration.options.allow_fetch))
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=AssistantOptions,
    run=run,
    about="""Serve files and a store to assistants over the Model Context Protocol, on standard input and output.

    Seven tools read sitemaps, robots.txt, and built pages below DIR, and runs that `urlset audit` stored there:
    inspect, validate, page, findings, sql, robots, and explain. They write nothing, and request nothing without
    --allow-fetch. Each answer has at most 2,000 tokens, as with --format llm. Hidden files, and symbolic links that
    lead out of DIR, are refused.

    With --allow-fetch, inspect, validate, and robots also take public http(s) URLs, and validate takes sites. Private
    addresses are refused, whatever the configuration allows, and its headers and passwords are not sent.

    Requires the extra `urlset[mcp]`.""",
    examples=("urlset mcp", "urlset mcp public/", "urlset mcp --allow-fetch"),
)
