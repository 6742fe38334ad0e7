"""`urlset rules`: the list of all rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from urlset.cli.configured import ConfigFile, NoConfig, ProfileOption, resolved
from urlset.cli.options import Colour, ColourOption, Format
from urlset.rules.rule import Fixable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.configfile.resolve import Resolved
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
    profile: ProfileOption = None,
    config_file: ConfigFile = None,
    no_config: NoConfig = False,
) -> None:
    """List all rules: code, severity, name and what each one finds.

    Severities are those in force: where the configuration or the profile changes one, the default stands beside it.
    """
    from urlset.cli.output import Output
    from urlset.safe import json_text

    settings = resolved(config_file, no_config, {} if profile is None else {"profile": profile})
    found = rules_in_force(settings)
    output = Output(colour)
    if form is Format.JSON:
        report = {"version": 1, "rules": [_as_json(rule) for rule in found]}
        output.write([json_text(report, ascii_only=not output.unicode)])
    else:
        output.write(_lines(found, output.paint))


def rules_in_force(settings: Resolved) -> tuple[Rule, ...]:
    """Every rule with the severity it has under the configuration, those of the user's own at the end.

    Rules that are not selected, ignored or left out by the profile are listed with their default severity.
    """
    from datetime import UTC, datetime

    from urlset.pipeline.ruleset import rules_of
    from urlset.rules.registry import all_rules

    in_force = {rule.code: rule for rule in rules_of(settings.options, datetime.now(UTC), chosen=False)}
    ours = tuple(in_force.pop(rule.code, rule) for rule in all_rules())
    return (*ours, *in_force.values())


def default_severity(rule: Rule) -> str | None:
    """The rule's severity without any configuration; None for a rule of the user's own."""
    from urlset.rules.registry import all_rules

    return next((each.severity.value for each in all_rules() if each.code == rule.code), None)


_FIXABLE_MARKS = {Fixable.ALWAYS: " (fixed)", Fixable.SOMETIMES: " (fixed in part)", Fixable.NEVER: ""}


def _lines(found: tuple[Rule, ...], paint: Paint) -> Iterator[str]:
    from urlset.report.paint import SEVERITY_ROLES, Role
    from urlset.report.words import counted
    from urlset.rules.registry import FAMILIES
    from urlset.rules.rule import Lifecycle
    from urlset.safe import safe

    width = max((len(rule.name) for rule in found), default=0)
    prefixes = {family.prefix for family in FAMILIES}
    groups = [
        (f"{family.title} ({family.prefix})", [rule for rule in found if rule.family == family.prefix])
        for family in FAMILIES
    ]
    groups.append(("Your own", [rule for rule in found if rule.family not in prefixes]))
    for title, members in groups:
        if members:
            yield paint(title, Role.HEADING)
        for rule in members:
            severity = paint(f"{rule.severity.value:7}", SEVERITY_ROLES[rule.severity])
            usual = default_severity(rule)
            changed = f" (default: {usual})" if usual not in (None, rule.severity.value) else ""
            stage = "" if rule.lifecycle is Lifecycle.STABLE else f" ({rule.lifecycle.value})"
            stage += _FIXABLE_MARKS[rule.fixable]
            yield f"  {rule.code}  {severity}  {rule.name:{width}}  {safe(rule.message)}{changed}{stage}"
        if members:
            yield ""
    yield f"{counted(len(found), 'rule')}. `urlset explain CODE` tells the why and how of one."
    yield "`urlset fix` settles what is marked as fixed; in part means where there is one right answer."


def _as_json(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "default_severity": default_severity(rule),
        "scope": rule.kind,
        "lifecycle": rule.lifecycle.value,
        "since": rule.since,
        "fixable": rule.fixable.value,
        "check_effect": rule.check_effect.value,
        "message": rule.message,
        "fix": rule.fix,
        "sources": list(rule.sources),
    }
