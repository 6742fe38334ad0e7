"""`urlset rules`: the list of all rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from urlset.cli.options import Colour, ColourOption, Format

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.report.paint import Paint
    from urlset.rules.rule import Rule


EXAMPLES = """\b
Examples:
  urlset rules
  urlset rules --format json
"""


def rules(
    form: Annotated[Format, typer.Option("--format", metavar="FORMAT", help="text for people, or json.")] = Format.TEXT,
    colour: ColourOption = Colour.AUTO,
) -> None:
    """List the rules that `validate` runs: code, severity, name and what each one finds."""
    from urlset.cli.output import Output
    from urlset.report.safe import json_text
    from urlset.rules.registry import all_rules

    output = Output(colour)
    if form is Format.JSON:
        report = {"version": 1, "rules": [_as_json(rule) for rule in all_rules()]}
        output.write([json_text(report, ascii_only=not output.unicode)])
    else:
        output.write(_lines(output.paint))


def _lines(paint: Paint) -> Iterator[str]:
    from urlset.report.paint import SEVERITY_ROLES, Role
    from urlset.report.words import counted
    from urlset.rules.registry import FAMILIES, all_rules

    found = all_rules()
    width = max((len(rule.name) for rule in found), default=0)
    for family in FAMILIES:
        members = [rule for rule in found if rule.family == family.prefix]
        if members:
            yield paint(f"{family.title} ({family.prefix})", Role.HEADING)
        for rule in members:
            severity = paint(f"{rule.severity.value:7}", SEVERITY_ROLES[rule.severity])
            yield f"  {rule.code}  {severity}  {rule.name:{width}}  {rule.message}"
        if members:
            yield ""
    yield f"{counted(len(found), 'rule')}. `urlset explain CODE` tells the why and how of one."


def _as_json(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "scope": rule.scope.value,
        "lifecycle": rule.lifecycle.value,
        "since": rule.since,
        "check_effect": rule.check_effect.value,
        "message": rule.message,
        "fix": rule.fix,
        "sources": list(rule.sources),
    }
