"""Checks the tables of a configuration file. Errors name the table and the key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.errors import ConfigError, UsageError
from urlset.files.repository_links import LEADS_OUT, leads_out
from urlset.objects.object_address import original_url
from urlset.options.convert import convert_value, hint, record_of
from urlset.options.declare import Option, OptionGroup, options_of
from urlset.options.values import REQUIRED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def check_table(known: Sequence[Option], table: Mapping[str, object], where: str, path: Path) -> dict[str, object]:
    """Check a table, and return its values by the names of their options.

    Args:
        known: The options that it can set.
        where: The table in messages.
        path: The file, whose directory paths are relative to.

    Raises:
        ConfigError: A key is unknown or missing, or a value is invalid.
    """
    options = {option.key: option for option in known}
    check_keys(table, options, where)
    for option in known:
        if option.default is REQUIRED and option.key not in table:
            raise ConfigError(f"{where}: {option.key} is missing")
    separator = "." if ": " in where else ": "
    return {
        options[key].name: value_of(options[key], value, f"{where}{separator}{key}", path)
        for key, value in table.items()
    }


def check_keys(keys: Iterable[str], known: Iterable[str], where: str) -> None:
    """Check that every key is known.

    Raises:
        ConfigError: A key is unknown; the message suggests a similar one.
    """
    names = list(known)
    for key in keys:
        if key not in names:
            suggestion = hint(key.replace("_", "-").lower(), names) or f"; known keys: {', '.join(sorted(names))}"
            raise ConfigError(f"{where}: unknown key {key!r}{suggestion}")


def table_of(value: object, place: str) -> dict[str, object]:
    """Return a value as a table.

    Raises:
        ConfigError: It is not a table.
    """
    if not isinstance(value, dict):
        raise ConfigError(f"{place}: must be a table, not {value!r}")
    return value


def tables_of(value: object, place: str, written: str) -> list[dict[str, object]]:
    """Return a value as a list of tables, such as `[[rule]]`.

    Raises:
        ConfigError: It is not a list of tables.
    """
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ConfigError(f"{place}: must be written as tables: [[{written}]]")
    return value


def value_of(option: Option, value: object, place: str, path: Path) -> object:
    """Return the value of a key, with paths relative to the directory of the file.

    Raises:
        ConfigError: It is invalid.
    """
    if (record := record_of(option.annotation)) is not None:
        return _records(record, option, value, place, path)
    try:
        converted_value = convert_value(option, value, place)
    except UsageError as error:
        raise ConfigError(str(error)) from None
    return _resolve_paths(converted_value, path.parent, place) if option.facts.is_place else converted_value


def _resolve_paths(value: object, folder: Path, place: str) -> object:
    """Resolve paths against the directory of the file; URLs and `-` are not changed.

    Paths below the working directory are made relative to it, since messages show them.

    Raises:
        ConfigError: A path has a link that leads out of the repository.
    """
    if isinstance(value, tuple):
        return tuple(_resolve_paths(item, folder, place) for item in value)
    if not isinstance(value, str | Path) or str(value) == "-" or "://" in str(value) or original_url(str(value)):
        return value
    path = folder / Path(value).expanduser()
    if leads_out(path):
        raise ConfigError(f"{place}: {value} {LEADS_OUT}")
    here = Path.cwd()
    path = path.relative_to(here) if path.is_relative_to(here) else path
    return str(path) if isinstance(value, str) else path


def _records(record: type[OptionGroup], option: Option, value: object, place: str, path: Path) -> tuple[object, ...]:
    """Return the tables of a list such as `[[rule]]` as records."""
    value = tables_of(value, place, option.key)
    options = options_of(record)
    places = [f"{place.partition(': ')[0]}, [[{option.key}]] {number}" for number in range(1, len(value) + 1)]
    records = []
    for table, where in zip(value, places, strict=True):
        try:
            records.append(record(**check_table(options, table, where, path), **record.placed(where)))
        except UsageError as error:
            raise error if isinstance(error, ConfigError) else ConfigError(f"{where}: {error}") from None
    return tuple(records)
