"""`urlset config`: show the configuration in force."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.show import Format, format_option, shown
from urlset.errors import ExitCode
from urlset.options.auditing import KeyedOptions
from urlset.options.configuring import ConfiguringOptions
from urlset.options.judging import ProfileOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.options.resolve import Resolved
    from urlset.pipeline.ruleset import ChangedRule


@dataclass(frozen=True, kw_only=True)
class Options(ProfileOptions, ConfiguringOptions):
    """Options of `urlset config`."""

    format: Format = format_option()
    schema: bool = shown(False, "Print the JSON Schema of urlset.toml, for editors, and nothing else")


def run(resolved: Resolved[Options]) -> ExitCode:
    """Show the configuration."""
    from urlset.cli.output import Output
    from urlset.pipeline.ruleset import changed_rules, check_rules
    from urlset.safe import json_text

    output = Output()
    if resolved.options.schema:
        from urlset.options.schema import schema

        output.write([json_text(schema(), ascii_only=not output.unicode)])
        return ExitCode.CLEAN
    settings = resolved.of(KeyedOptions)
    check_rules(settings)
    changed = changed_rules(settings)
    if resolved.options.format is Format.JSON:
        report = {
            "version": 1,
            "file": None if settings.file is None else str(settings.file.path),
            "values": [
                {"key": key, "value": _plain(value), "origin": origin} for key, value, origin in _rows(settings)
            ],
            "rules": [{"code": one.rule.code, "severity": one.severity, "default": one.usual} for one in changed],
        }
        output.write([json_text(report, ascii_only=not output.unicode)])
    else:
        output.write(_lines(settings, changed))
    return ExitCode.CLEAN


def _rows(settings: Resolved[KeyedOptions]) -> Iterator[tuple[str, object, str]]:
    """Key, value, and origin of everything that the file can set; of limits, each."""
    from urlset.options.declare import Face
    from urlset.pipeline.ruleset import limits_in_force

    for each in settings.in_force:
        if each.option.name == "limits":
            yield from limits_in_force(settings)
        elif Face.FILE in each.option.facts.faces:
            yield each.option.path, each.value, each.origin


def _lines(settings: Resolved[KeyedOptions], changed: tuple[ChangedRule, ...]) -> Iterator[str]:
    from urlset.options.file import shown as shown_path
    from urlset.safe import safe

    yield f"Configuration file: {safe(shown_path(settings.file.path)) if settings.file else 'none'}"
    yield ""
    rows = list(_rows(settings))
    width = max(len(key) for key, _, _ in rows)
    for key, value, origin in rows:
        yield f"{key:{width}}  {safe(_text(value))}  ({safe(origin)})"
    if changed:
        yield ""
        yield "Rules that differ from the defaults:"
    for one in changed:
        usual = f"default {one.usual}" if one.usual else "your own"
        yield f"  {one.rule.code}  {one.severity or 'off'} ({usual})  {safe(one.rule.name)}"


def _plain(value: object) -> object:
    """A value as JSON can write it; a rule of the user's own by its code."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Path):
        return str(value)
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


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Show the configuration in force: every value, its origin, and which rules have another severity.

    The command line takes precedence over the file, the file over the profile, and the profile over the defaults. An
    error in the file is reported with its key, so this also checks the file, including your own rules.""",
    examples=(
        "urlset config",
        "urlset config --config ci/urlset.toml --profile google",
        "urlset config --schema > urlset.schema.json",
    ),
)
