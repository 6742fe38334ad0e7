"""`urlset config`: what is in force, and where each value comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from urlset.cli.configured import ConfigFile, NoConfig, ProfileOption, given_on_command_line, resolved
from urlset.cli.options import Format

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.configfile.resolve import Resolved
    from urlset.rules.rule import Rule

EXAMPLES = """\b
Examples:
  urlset config
  urlset config --config ci/urlset.toml --profile google
  urlset config --format json
"""


def config(
    context: typer.Context,
    form: Annotated[Format, typer.Option("--format", metavar="FORMAT", help="text for people, or json.")] = Format.TEXT,
    config_file: ConfigFile = None,
    no_config: NoConfig = False,
    profile: ProfileOption = None,
) -> None:
    """Show the configuration in force: every value, where it comes from, and which rules change their severity.

    The command line wins over the file, the file over the profile, the profile over the defaults. A wrong file is an
    error that names the key, so this also checks it, the rules of your own included.
    """
    from urlset.cli.output import Output
    from urlset.safe import json_text

    settings = resolved(config_file, no_config, given_on_command_line(context, {"profile": profile}))
    output = Output()
    changed = list(changed_rules(settings))
    if form is Format.JSON:
        report = {
            "version": 1,
            "file": None if settings.path is None else str(settings.path),
            "values": [
                {"key": each.key, "value": _plain(each.value), "origin": each.origin} for each in settings.in_force
            ],
            "rules": [
                {"code": rule.code, "severity": now, "default": None if usual is None else usual}
                for rule, now, usual in changed
            ],
        }
        output.write([json_text(report, ascii_only=not output.unicode)])
    else:
        output.write(_lines(settings, changed))


def changed_rules(settings: Resolved) -> Iterator[tuple[Rule, str | None, str | None]]:
    """Rules that are the user's own or not of their usual severity: the rule, its severity, its usual one.

    The severity is None for a rule that the profile leaves out, the usual one None for a rule of the user's own.
    """
    from datetime import UTC, datetime

    from urlset.pipeline.ruleset import rules_of
    from urlset.rules.registry import all_rules

    in_force = {rule.code: rule for rule in rules_of(settings.options, datetime.now(UTC), chosen=False)}
    for rule in all_rules():
        now = in_force.pop(rule.code, None)
        if now is None or now.severity is not rule.severity:
            yield rule, None if now is None else now.severity.value, rule.severity.value
    for own in in_force.values():
        yield own, own.severity.value, None


def _lines(settings: Resolved, changed: list[tuple[Rule, str | None, str | None]]) -> Iterator[str]:
    from urlset.configfile.values import shown
    from urlset.safe import safe

    yield f"Configuration file: {safe(shown(settings.path)) if settings.path else 'none'}"
    yield ""
    width = max(len(each.key) for each in settings.in_force)
    for each in settings.in_force:
        yield f"{each.key:{width}}  {safe(_text(each.value))}  ({safe(each.origin)})"
    if changed:
        yield ""
        yield "Rules that differ from the defaults:"
    for rule, now, usual in changed:
        yield f"  {rule.code}  {now or 'left out'} ({f'default {usual}' if usual else 'your own'})  {safe(rule.name)}"


def _plain(value: object) -> object:
    """A value as JSON can write it; a rule of the user's own by its code."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return getattr(value, "code", value)


def _text(value: object) -> str:
    plain = _plain(value)
    if plain is None or plain in ([], {}):
        return "none"
    if isinstance(plain, bool):
        return str(plain).lower()
    if isinstance(plain, list):
        return ", ".join(map(str, plain))
    if isinstance(plain, dict):
        return ", ".join(f"{key} = {_text(item)}" for key, item in plain.items())
    return f"{plain:,}" if isinstance(plain, int) else str(plain)
