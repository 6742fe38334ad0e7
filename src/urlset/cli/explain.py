"""`urlset explain`: the page of one rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from urlset.cli.configured import ConfigFile, NoConfig, ProfileOption, resolved
from urlset.cli.options import Colour, ColourOption

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.rules.rule import Rule

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
    profile: ProfileOption = None,
    config_file: ConfigFile = None,
    no_config: NoConfig = False,
) -> None:
    """Explain a rule: what it finds, why that matters, what fails and what passes, how to fix it, and who says so."""
    from urlset.cli.output import Output
    from urlset.cli.rules import default_severity, rules_in_force
    from urlset.report.paint import plain
    from urlset.rules.explanation import page
    from urlset.rules.registry import rule

    settings = resolved(config_file, no_config, {} if profile is None else {"profile": profile})
    in_force = {each.code: each for each in rules_in_force(settings)}
    own = in_force.get(code.strip().upper())
    if own is not None and default_severity(own) is None:
        text = _own_page(own)
    else:
        usual = rule(code)
        shown = in_force[usual.code]
        changed = "" if shown.severity is usual.severity else f" (default: {usual.severity.value})"
        text = page(shown, f"Severity: {shown.severity.value}{changed}. {usual.standing}")
    output = Output(colour)
    if output.paint is plain:
        output.write([text.rstrip("\n")])
    else:
        _show_markdown(text, output)


def _own_page(own: Rule) -> str:
    """The page of a rule of the user's own: what the configuration says of it."""
    from urlset.rules.explanation import FIX, SOURCES, WHAT
    from urlset.rules.rule import SetRule
    from urlset.safe import safe

    sql = ((own.query if isinstance(own, SetRule) else own.where) or "").strip()
    sources = "".join(f"- {safe(source)}\n" for source in own.sources)
    return (
        f"# {own.code}: {own.name}\n\nSeverity: {own.severity.value}. A rule of your own.\n\n"
        f"## {WHAT}\n{safe(own.message)}.\n\n## SQL\n```sql\n{sql}\n```\n\n## {FIX}\n{safe(own.fix)}\n"
        + (f"\n## {SOURCES}\n{sources}" if sources else "")
    )


def _show_markdown(text: str, output: Output) -> None:
    import io

    from rich.console import Console
    from rich.markdown import Markdown

    drawn = io.StringIO()
    console = Console(file=drawn, force_terminal=True, width=min(Console().width, WIDEST))
    console.print(Markdown(text))
    output.write(drawn.getvalue().splitlines())
