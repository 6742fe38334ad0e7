"""Finds and reads the configuration file. Whatever is wrong in it is an error that names the file and the key."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.config import OwnRule
from urlset.configfile.settings import KEYS, RULE_KEYS, Kind, Settings
from urlset.errors import ConfigError, MisuseError
from urlset.rules.adjust import LIMITS
from urlset.rules.registry import all_rules, select
from urlset.rules.rule import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
    """

    path: Path
    settings: Settings = field(default_factory=Settings)

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
    return Loaded(path, parse(content, where))


def shown(path: Path) -> str:
    """A path as messages name it: from the working directory where it lies below it."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def parse(content: Mapping[str, Any], where: str) -> Settings:
    """Checks the keys and values of a configuration.

    Args:
        content: What TOML makes of it.
        where: The file, for messages.

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
        if meta["kind"] is not Kind.RULES:
            values[KEYS[key].name] = _value(meta["kind"], value, place, meta["choices"], codes)
    return Settings(**values, rule=own) if "rule" in content else Settings(**values)


def known_key(given: Iterable[str], known: Iterable[str], where: str) -> None:
    """Sees to it that every key is known.

    Raises:
        ConfigError: One is not; the message suggests the near name.
    """
    names = list(known)
    for key in given:
        if key not in names:
            near = get_close_matches(key.replace("_", "-").lower(), names, n=1, cutoff=0.6)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are: {', '.join(sorted(names))}"
            raise ConfigError(f"{where}: unknown key {key!r}{hint}")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{shown(path)}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
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
            return _texts(value, place)
        case Kind.TEXT:
            return _text(value, place)
        case Kind.COUNT | Kind.SIZE:
            if type(value) is not int or value < (kind is Kind.SIZE):
                raise _wrong(place, kind.words, value)
            return value
        case Kind.SECONDS:
            if type(value) not in (int, float) or not 0 < value < math.inf:
                raise _wrong(place, kind.words, value)
            return float(value)
        case Kind.FLAG:
            if type(value) is not bool:
                raise ConfigError(f"{place}: must be {kind.words}, not {value!r}")
            return value
        case Kind.CHOICE:
            return _choice(value, choices, place)
        case Kind.SEVERITIES:
            _codes(list(_table(value, place)), place, own_codes)
            return {
                prefix.upper(): str(_choice(name, tuple(Severity), f"{place}.{prefix}"))
                for prefix, name in value.items()
            }
        case Kind.IGNORES:
            return {glob: _codes(codes, f"{place}.{glob!r}", own_codes) for glob, codes in _table(value, place).items()}
        case _:
            return _limits(_table(value, place), place)


def _limits(table: Mapping[str, Any], place: str) -> dict[str, float]:
    names = {name.replace("_", "-"): name for name in LIMITS}
    usual = _core.protocol_limits()
    known_key(table, names, place)
    limits: dict[str, float] = {}
    for key, value in table.items():
        name = names[key]
        if isinstance(usual[name], float):
            if type(value) not in (int, float) or not 0 < value <= 1:
                raise _wrong(f"{place}.{key}", "number above 0, at most 1", value)
        elif type(value) is not int or value < 1:
            raise _wrong(f"{place}.{key}", Kind.SIZE.words, value)
        limits[name] = value
    return limits


def _codes(value: Any, place: str, own_codes: tuple[str, ...]) -> tuple[str, ...]:
    prefixes = tuple(code.strip().upper() for code in _texts(value, place))
    for prefix in prefixes:
        if prefix and any(code.startswith(prefix) for code in own_codes):
            continue
        try:
            select(all_rules(), [prefix])
        except MisuseError as error:
            raise ConfigError(f"{place}: {error}") from None
    return prefixes


def _own_rules(value: Any, where: str) -> tuple[OwnRule, ...]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise ConfigError(f"{where}: rule must be written as tables: [[rule]]")
    return tuple(_own_rule(table, f"{where}, [[rule]] {number}") for number, table in enumerate(value, 1))


def _own_rule(table: Mapping[str, Any], place: str) -> OwnRule:
    known_key(table, RULE_KEYS, place)
    for key in ("code", "message"):
        if key not in table:
            raise ConfigError(f"{place}: {key} is missing")
    values: dict[str, Any] = {
        key: _value(RULE_KEYS[key][0], value, f"{place}: {key}", (), ()) for key, value in table.items()
    }
    if ("where" in table) == ("query" in table):
        raise ConfigError(f"{place} ({table['code']}): give either where or query")
    return OwnRule(**values, origin=place)


def _texts(value: Any, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
        raise _wrong(place, Kind.TEXTS.words, value)
    return tuple(value)


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _wrong(place, Kind.TEXT.words, value)
    return value


def _table(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(place, "table", value)
    return value


def _choice(value: Any, choices: tuple[str, ...], place: str) -> str:
    for choice in choices:
        if isinstance(value, str) and choice == value:
            return choice
    near = get_close_matches(value, choices, n=1) if isinstance(value, str) else []
    hint = f"; did you mean {str(near[0])!r}?" if near else ""
    raise ConfigError(f"{place}: must be one of {', '.join(choices)}, not {value!r}{hint}")


def _wrong(place: str, wanted: str, value: object) -> ConfigError:
    return ConfigError(f"{place}: must be a {wanted}, not {value!r}")
