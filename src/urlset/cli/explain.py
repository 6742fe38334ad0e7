"""`urlset explain`: show the page of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions
from urlset.errors import ExitCode
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, Names, OptionFacts, Panel, Text, option_group, required
from urlset.options.judging import ProfileOptions
from urlset.options.verbs import ValidateOptions

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.options.resolve import ResolvedOptions

WIDEST = 100
"""Maximum line length of a page on a terminal; longer lines are hard to read."""


@option_group
class Options(ProfileOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset explain`."""

    code: Text = required(
        OptionFacts(
            help="Code or name of a rule, such as LOC003 or page-noindex",
            panel=Panel.TARGETS,
            metavar="CODE",
            faces=COMMAND_LINE,
            positional=True,
            names=Names.RULES,
        )
    )


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.pipeline.explain import explain
    from urlset.report.paint import plain

    text = explain(configuration.options.code, configuration.of(ValidateOptions))
    output = Output(configuration.options.color)
    if output.paint is plain:
        output.write([text.rstrip("\n")])
    else:
        _show_markdown(text, output)
    return ExitCode.CLEAN


def _show_markdown(text: str, output: Output) -> None:
    import io

    from rich.console import Console
    from rich.markdown import Markdown

    drawn = io.StringIO()
    console = Console(file=drawn, force_terminal=True, width=min(Console().width, WIDEST))
    console.print(Markdown(text))
    output.write(drawn.getvalue().splitlines())


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Explain a rule: what it finds, why it matters, examples that fail and pass, how to fix it, and sources.""",
    examples=("urlset explain LOC003", "urlset explain LOC003 > LOC003.md"),
)
