"""Finds and reads the configuration file. Whatever is wrong in it is an error that names the file and the key."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from urlset.bounded import MOST_OF_CONFIG, read_whole
from urlset.config import Limit, OwnRule
from urlset.configfile.settings import KEYS, RULE_KEYS, Kind, Settings
from urlset.configfile.values import LARGEST, choice, flag, known_key, shown, table, tables, text, texts, whole, wrong
from urlset.errors import ConfigError, MisuseError, reason_of
from urlset.rules.registry import all_rules, select
from urlset.rules.rule import PARAMETER_NAME, Severity
from urlset.rules.templates import LIMITS, USUAL_LIMITS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OWN_FILE = "urlset.toml"
PROJECT_FILE = "pyproject.toml"

REPOSITORY_MARKS = (".git", ".hg", ".svn")
"""What the root of a repository holds: the search goes no further up."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A configuration file that was read.

    Attributes:
        path: The file.
        settings: What it says.
        build: Its table `[build]` as it stands, which the command line may complete; None for none.
    """

    path: Path
    settings: Settings = field(default_factory=Settings)
    build: Mapping[str, Any] | None = None

    @property
    def folder(self) -> Path:
        """Where it stands: paths and globs in it are meant from here."""
        return self.path.resolve().parent


def find(start: Path) -> Path | None:
    """The configuration file for a working directory.

    That is the first `urlset.toml`, or `pyproject.toml` with a table `tool.urlset`, from `start` upwards, no further
    than the root of the repository; in one folder `urlset.toml` comes first.

    Raises:
        ConfigError: A `pyproject.toml` on the way is no TOML.
    """
    for folder in (start.resolve(), *start.resolve().parents):
        own, project = folder / OWN_FILE, folder / PROJECT_FILE
        if own.is_file():
            return own
        if project.is_file() and "urlset" in _tool_table(_read(project), project):
            return project
        if any((folder / mark).exists() for mark in REPOSITORY_MARKS):
            return None
    return None


def load(path: Path) -> Loaded:
    """Reads a configuration file: `pyproject.toml` by its name, anything else as a `urlset.toml`.

    Raises:
        ConfigError: It cannot be read, is no TOML, has an unknown key or a value that makes no sense.
    """
    content = _read(path)
    where = shown(path)
    if path.name == PROJECT_FILE:
        content = _tool_table(content, path).get("urlset", {})
        where += ", [tool.urlset]"
        if not isinstance(content, dict):
            raise ConfigError(f"{where}: must be a table")
    return Loaded(path, parse(content, where, path.parent), build=content.get("build"))


def parse(content: Mapping[str, Any], where: str, folder: Path) -> Settings:
    """Checks the keys and values of a configuration.

    Args:
        content: What TOML makes of it.
        where: The file, for messages.
        folder: Where the paths of `[build]` and `[audit]` are meant from.

    Raises:
        ConfigError: A key is unknown or a value makes no sense.
    """
    known_key(content, KEYS, where)
    values: dict[str, Any] = {}
    # Rules first: select, ignore and severity may name them.
    own = _own_rules(content.get("rule", []), where) if "rule" in content else ()
    codes = tuple(rule.code for rule in own)
    for key, value in content.items():
        meta = KEYS[key].metadata
        place = f"{where}: {key}"
        if meta["kind"] is Kind.BUILD:
            # Only `build` needs it, and its values take their time to import.
            from urlset.configfile.build import build_spec

            values[KEYS[key].name] = build_spec(value, where, folder)
        elif meta["kind"] is Kind.AUDIT:
            from urlset.configfile.audit_keys import audit_values

            values[KEYS[key].name] = audit_values(value, where, folder)
        elif meta["kind"] is not Kind.RULES:
            values[KEYS[key].name] = _value(meta["kind"], value, place, meta["choices"], codes)
    return Settings(**values, rule=own) if "rule" in content else Settings(**values)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_whole(path, MOST_OF_CONFIG).decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{shown(path)}: cannot be read: {reason_of(error)}") from None
    except RecursionError:
        raise ConfigError(f"{shown(path)}: is not TOML: nested too deeply") from None
    except ValueError as error:
        # Some of tomllib are no TOMLDecodeError: an integer of 5,000 digits, for one.
        raise ConfigError(f"{shown(path)}: is not TOML: {error}") from None


def _tool_table(content: Mapping[str, Any], path: Path) -> dict[str, Any]:
    tool = content.get("tool", {})
    if not isinstance(tool, dict):
        raise ConfigError(f"{shown(path)}: tool must be a table")
    return tool


def _value(kind: Kind, value: Any, place: str, choices: tuple[str, ...], own_codes: tuple[str, ...]) -> object:
    """The value, checked and as the options take it."""
    match kind:
        case Kind.CODES:
            return _codes(value, place, own_codes)
        case Kind.TEXTS:
            return texts(value, place)
        case Kind.TEXT:
            return text(value, place)
        case Kind.COUNT | Kind.SIZE:
            return whole(value, place, kind)
        case Kind.SECONDS:
            if type(value) not in (int, float) or not 0 < value <= LARGEST:
                raise wrong(place, kind.words, value)
            return float(value)
        case Kind.FLAG:
            return flag(value, place)
        case Kind.CHOICE:
            return choice(value, choices, place)
        case Kind.CHOICES:
            return tuple(choice(each, choices, place) for each in texts(value, place))
        case Kind.SEVERITIES:
            _codes(list(table(value, place)), place, own_codes)
            return {
                prefix.upper(): str(choice(name, tuple(Severity), f"{place}.{prefix}"))
                for prefix, name in value.items()
            }
        case Kind.IGNORES:
            return {glob: _codes(codes, f"{place}.{glob!r}", own_codes) for glob, codes in table(value, place).items()}
        case _:
            return _limits(table(value, place), place)


def _limits(given: Mapping[str, Any], place: str) -> dict[str, Limit]:
    names = {name.replace("_", "-"): name for name in LIMITS}
    known_key(given, names, place)
    limits: dict[str, Limit] = {}
    for key, value in given.items():
        name = names[key]
        if isinstance(USUAL_LIMITS[name], tuple):
            value = _parameter_names(value, f"{place}.{key}")
        elif isinstance(USUAL_LIMITS[name], float):
            if type(value) not in (int, float) or not 0 < value <= 1:
                raise wrong(f"{place}.{key}", "number above 0, at most 1", value)
        elif type(value) is not int or not 1 <= value <= LARGEST:
            raise wrong(f"{place}.{key}", Kind.SIZE.words, value)
        limits[name] = value
    return limits


def _parameter_names(value: Any, place: str) -> tuple[str, ...]:
    """Names of URL parameters. An empty list switches the check off."""
    names = texts(value, place)
    for name in names:
        if not PARAMETER_NAME.fullmatch(name):
            raise ConfigError(f"{place}: {name!r} must consist of letters, digits, dots, hyphens and underscores")
    return tuple(name.lower() for name in names)


def _codes(value: Any, place: str, own_codes: tuple[str, ...]) -> tuple[str, ...]:
    prefixes = tuple(code.strip().upper() for code in texts(value, place))
    for prefix in prefixes:
        if prefix and any(code.startswith(prefix) for code in own_codes):
            continue
        try:
            select(all_rules(), [prefix])
        except MisuseError as error:
            raise ConfigError(f"{place}: {error}") from None
    return prefixes


def _own_rules(value: Any, where: str) -> tuple[OwnRule, ...]:
    own = tables(value, f"{where}: rule", "rule")
    return tuple(_own_rule(each, f"{where}, [[rule]] {number}") for number, each in enumerate(own, 1))


def _own_rule(given: Mapping[str, Any], place: str) -> OwnRule:
    known_key(given, RULE_KEYS, place)
    for key in ("code", "message"):
        if key not in given:
            raise ConfigError(f"{place}: {key} is missing")
    values: dict[str, Any] = {
        key: _value(RULE_KEYS[key][0], value, f"{place}: {key}", (), ()) for key, value in given.items()
    }
    if ("where" in given) == ("query" in given):
        raise ConfigError(f"{place} ({given['code']}): give either where or query")
    return OwnRule(**values, origin=place)
