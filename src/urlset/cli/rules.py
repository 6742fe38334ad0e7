"""`urlset rules`: list the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, Format, format_option
from urlset.errors import ExitCode
from urlset.options.configuring import ConfiguringOptions
from urlset.options.judging import ProfileOptions
from urlset.options.verbs import ValidateOptions
from urlset.rules.rule import Fixable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.options.resolve import Resolved
    from urlset.report.paint import Paint
    from urlset.rules.rule import Rule


@dataclass(frozen=True, kw_only=True)
class Options(ProfileOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset rules`."""

    format: Format = format_option()


def run(resolved: Resolved[Options]) -> ExitCode:
    """List the rules."""
    from urlset.cli.output import Output
    from urlset.pipeline.ruleset import rules_in_force
    from urlset.safe import json_text

    options = resolved.options
    found = rules_in_force(resolved.of(ValidateOptions))
    output = Output(options.color)
    if options.format is Format.JSON:
        report = {"version": 1, "rules": [_as_json(rule) for rule in found]}
        output.write([json_text(report, ascii_only=not output.unicode)])
    else:
        output.write(_lines(found, output.paint))
    return ExitCode.CLEAN


_FIXABLE_MARKS = {Fixable.ALWAYS: " (fixed)", Fixable.SOMETIMES: " (fixed in part)", Fixable.NEVER: ""}


def _lines(found: tuple[Rule, ...], paint: Paint) -> Iterator[str]:
    from urlset.pipeline.ruleset import usual_severity
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
            usual = usual_severity(rule.code)
            changed = f" (default: {usual})" if usual not in (None, rule.severity.value) else ""
            stage = "" if rule.lifecycle is Lifecycle.STABLE else f" ({rule.lifecycle.value})"
            stage += _FIXABLE_MARKS[rule.fixable]
            yield f"  {rule.code}  {severity}  {rule.name:{width}}  {safe(rule.message)}{changed}{stage}"
        if members:
            yield ""
    yield f"{counted(len(found), 'rule')}. `urlset explain CODE` tells the why and how of one."
    yield "`urlset fix` settles what is marked as fixed; in part means where there is one right answer."


def _as_json(rule: Rule) -> dict[str, object]:
    from urlset.pipeline.ruleset import usual_severity

    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "default_severity": usual_severity(rule.code),
        "scope": rule.kind,
        "lifecycle": rule.lifecycle.value,
        "since": rule.since,
        "fixable": rule.fixable.value,
        "check_effect": rule.check_effect.value,
        "message": rule.message,
        "fix": rule.fix,
        "sources": list(rule.sources),
    }


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""List all rules: code, severity, name, and what each one finds.

    Severities are those in force: where the configuration or the profile changes one, the default is shown next to
    it.""",
    examples=("urlset rules", "urlset rules --profile google", "urlset rules --format json"),
)
