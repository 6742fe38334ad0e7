"""Values of the configuration file, checked one by one: each fault is an error that names its place."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.configfile.settings import Kind
from urlset.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable


def shown(path: Path) -> str:
    """A path as messages name it: from the working directory where it lies below it."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


LARGEST = 2**53
"""No number of a configuration is larger: every integer up to it is a float, and a column of 64 bits has it."""


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


def texts(value: Any, place: str) -> tuple[str, ...]:
    """A list of texts, none of them empty."""
    if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
        raise wrong(place, Kind.TEXTS.words, value)
    return tuple(value)


def text(value: Any, place: str) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise wrong(place, Kind.TEXT.words, value)
    return value


def table(value: Any, place: str) -> dict[str, Any]:
    """A table."""
    if not isinstance(value, dict):
        raise wrong(place, "table", value)
    return value


def tables(value: Any, place: str, written: str) -> list[dict[str, Any]]:
    """A list of tables, such as `[[rule]]`."""
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise ConfigError(f"{place} must be written as tables: [[{written}]]")
    return value


def flag(value: Any, place: str) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise ConfigError(f"{place}: must be {Kind.FLAG.words}, not {value!r}")
    return value


def whole(value: Any, place: str, kind: Kind) -> int:
    """A whole number: 0 or more, or 1 or more."""
    if type(value) is not int or value < (kind is Kind.SIZE):
        raise wrong(place, kind.words, value)
    if value > LARGEST:
        raise ConfigError(f"{place}: must be at most {LARGEST:,}")
    return value


def choice(value: Any, choices: tuple[str, ...], place: str) -> str:
    """One of a few words; a near one is suggested."""
    for each in choices:
        if isinstance(value, str) and each == value:
            return each
    near = get_close_matches(value, choices, n=1) if isinstance(value, str) else []
    hint = f"; did you mean {str(near[0])!r}?" if near else ""
    raise ConfigError(f"{place}: must be one of {', '.join(choices)}, not {value!r}{hint}")


def wrong(place: str, wanted: str, value: object) -> ConfigError:
    """A value that is of another kind than is wanted."""
    text = repr(value)
    return ConfigError(f"{place}: must be a {wanted}, not {text if len(text) <= 80 else f'{text[:79]}…'}")
