"""`urlset explain`: the page of one rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from urlset.cli.options import Colour, ColourOption

if TYPE_CHECKING:
    from urlset.cli.output import Output

WIDEST = 100
"""Longest line of a page on a terminal, in characters: longer ones are hard to read."""


EXAMPLES = """\b
Examples:
  urlset explain LOC003
  urlset explain LOC003 > LOC003.md
"""


def explain(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The rule's code: LOC003.", show_default=False)],
    colour: ColourOption = Colour.AUTO,
) -> None:
    """Explain a rule: what it finds, why that matters, what fails and what passes, how to fix it, and who says so."""
    from urlset.cli.output import Output
    from urlset.report.paint import plain
    from urlset.rules.registry import page, rule

    found = rule(code)
    title, _, body = page(code).partition("\n")
    text = f"{title}\n\nSeverity: {found.severity.value}. Since urlset {found.since}.\n{body}"
    output = Output(colour)
    if output.paint is plain:
        output.write([text.rstrip("\n")])
    else:
        _show_markdown(text, output)


def _show_markdown(text: str, output: Output) -> None:
    import io

    from rich.console import Console
    from rich.markdown import Markdown

    drawn = io.StringIO()
    console = Console(file=drawn, force_terminal=True, width=min(Console().width, WIDEST))
    console.print(Markdown(text))
    output.write(drawn.getvalue().splitlines())
