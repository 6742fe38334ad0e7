"""`urlset explain`: show the page of a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions
from urlset.errors import ExitCode
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, Facts, Panel, Text, required
from urlset.options.judging import ProfileOptions
from urlset.options.verbs import ValidateOptions

if TYPE_CHECKING:
    from urlset.cli.output import Output
    from urlset.options.resolve import Resolved
    from urlset.rules.rule import Rule

WIDEST = 100
"""Longest line of a page on a terminal, in characters: longer ones are hard to read."""


@dataclass(frozen=True, kw_only=True)
class Options(ProfileOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset explain`."""

    code: Text = required(
        Facts(
            help="The code of the rule, such as LOC003",
            panel=Panel.TARGETS,
            metavar="CODE",
            faces=COMMAND_LINE,
            positional=True,
        )
    )


def run(resolved: Resolved[Options]) -> ExitCode:
    """Show the page of the rule."""
    from urlset.cli.output import Output
    from urlset.pipeline.ruleset import rules_in_force, usual_severity
    from urlset.report.paint import plain
    from urlset.rules.explanation import page
    from urlset.rules.registry import rule

    code = resolved.options.code
    in_force = {each.code: each for each in rules_in_force(resolved.of(ValidateOptions))}
    own = in_force.get(code.strip().upper())
    if own is not None and usual_severity(own.code) is None:
        text = _own_page(own)
    else:
        usual = rule(code)
        shown = in_force[usual.code]
        changed = "" if shown.severity is usual.severity else f" (default: {usual.severity.value})"
        text = page(shown, f"Severity: {shown.severity.value}{changed}. {usual.standing}")
    output = Output(resolved.options.color)
    if output.paint is plain:
        output.write([text.rstrip("\n")])
    else:
        _show_markdown(text, output)
    return ExitCode.CLEAN


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


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Explain a rule: what it finds, why it matters, examples that fail and pass, how to fix it, and sources.""",
    examples=("urlset explain LOC003", "urlset explain LOC003 > LOC003.md"),
)
