"""`urlset skill`: print a skill file for assistants."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.errors import ExitCode
from urlset.options.declare import OptionGroup, option_group

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(OptionGroup):
    """Options of `urlset skill`, which has none."""


def run(configuration: ResolvedOptions[Options]) -> ExitCode:  # noqa: ARG001 - the signature of a command
    from urlset.cli.output import Output

    Output().write(files("urlset.cli").joinpath("skill.md").read_text(encoding="utf-8").splitlines())
    return ExitCode.CLEAN


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Print a skill file: when to use which command, for assistants that can run commands.

    Put it where your assistant looks for skills. docs/how-to/assistants.md shows where.""",
    examples=("urlset skill", "urlset skill > .claude/skills/urlset/SKILL.md"),
)
