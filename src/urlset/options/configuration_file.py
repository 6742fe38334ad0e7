"""The configuration file: finding it, and checking its keys. Errors name the file and the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from urlset.errors import ConfigError, reason_of
from urlset.files.bounded import MAX_CONFIG_BYTES, read_file
from urlset.files.repository_links import LEADS_OUT, is_foreign, leads_out, repository_of
from urlset.files.structured import decode_toml
from urlset.options.declare import NETWORK, Face, options_of
from urlset.options.toml_tables import check_keys, check_table, table_of

if TYPE_CHECKING:
    from urlset.options.build_file import BuildTable

OWN_FILE = "urlset.toml"
PROJECT_FILE = "pyproject.toml"


class ConfigFile(Struct, frozen=True):
    """A configuration file that was read and checked.

    Attributes:
        path: The file.
        where: The file in messages, with the table that holds the configuration.
        values: The value of every option that it sets, by path.
        build: Its table `[build]`, if any.
    """

    path: Path
    where: str
    values: Mapping[str, object] = field(default_factory=dict)
    build: BuildTable | None = None

    @property
    def folder(self) -> Path:
        """The directory that paths and globs in it are relative to."""
        return self.path.resolve().parent


def find(start: Path, on_skipped: Callable[[str], object] = lambda _: None) -> Path | None:
    """Return the configuration file for a working directory.

    This is the first `urlset.toml`, or `pyproject.toml` with a table `tool.urlset`, in `start` or its parents, up to
    the root of the repository. If a directory has both, `urlset.toml` takes precedence. The search ends at a file that
    belongs to another user, who could otherwise decide what is fetched and how, and at a link that leads out of the
    repository.

    Args:
        on_skipped: Called with a message about such a file.

    Raises:
        ConfigError: A `pyproject.toml` on the way is not valid TOML.
    """
    start = start.resolve()
    root = repository_of(start)
    for folder in (start, *start.parents):
        for file in (folder / OWN_FILE, folder / PROJECT_FILE):
            if not file.is_file():
                continue
            if (refusal := why_not_found(file, start, "pass it with --config to use it")) is not None:
                on_skipped(refusal)
                return None
            if file.name == OWN_FILE or "urlset" in _tool_table(read_toml(file), file):
                return file
        if folder == root:
            return None
    return None


def why_not_found(file: Path, start: Path, way_out: str) -> str | None:
    """Return why a file that nobody named is not used; None if it is.

    Args:
        start: The working directory.
        way_out: How to use it if it belongs to another user.
    """
    if is_foreign(file, start):
        return f"{file}: belongs to another user, and was not used; {way_out}"
    return f"{file}: {LEADS_OUT}" if leads_out(file) else None


def load(path: Path) -> ConfigFile:
    """Read a configuration file: `pyproject.toml`, or any other file as `urlset.toml`.

    Raises:
        ConfigError: It cannot be read, is not valid TOML, or has an unknown key or an invalid value.
    """
    toml = read_toml(path)
    content: object = toml
    where = display_path(path)
    if path.name == PROJECT_FILE:
        content = _tool_table(toml, path).get("urlset", {})
        where += ", [tool.urlset]"
    if not isinstance(content, dict):
        raise ConfigError(f"{where}: must be a table")
    return parse(content, where, path)


def parse(content: Mapping[str, object], where: str, path: Path) -> ConfigFile:
    """Check the keys and values of a configuration.

    Args:
        where: The file in messages.

    Raises:
        ConfigError: A key is unknown, or a value is invalid.
    """
    # Slow to import, and few runs have a configuration file.
    from urlset.options.auditing import KeyedOptions

    keyed = [option for option in options_of(KeyedOptions) if Face.FILE in option.facts.faces]
    names = {option.group.TABLE for option in keyed} - {""} | {NETWORK}
    tables = {name: table_of(content[name], f"{where}: {name}") for name in sorted(names) if name in content}
    top = {key: value for key, value in content.items() if key not in tables and key != "build"}
    top_level = [option for option in keyed if not option.group.TABLE]
    elsewhere = {option.key: option.path for option in keyed if option.group.TABLE}
    for key in top:
        if key in elsewhere and key not in {option.key for option in top_level}:
            raise ConfigError(f"{where}: unknown key {key!r}; did you mean {elsewhere[key]!r}?")
    check_keys(top, [*(option.key for option in top_level), *names, "build"], where)
    values = check_table(top_level, top, where, path)
    for name, table in tables.items():
        # The keys for the network can be in a table or at the top level.
        listed = [option for option in keyed if option.setting == f"{name}.{option.key}"]
        for option in listed:
            if not option.group.TABLE and option.key in table and option.name in values:
                raise ConfigError(f"{where}: {option.setting}: {option.key} is also set at the top level; omit one")
        table_values = check_table(listed, table, f"{where}: {name}", path)
        values |= {key if name == NETWORK else f"{name}.{key}": value for key, value in table_values.items()}
    return ConfigFile(path, where, values, _build(content, where, path))


def _build(content: Mapping[str, object], where: str, path: Path) -> BuildTable | None:
    if "build" not in content:
        return None
    # Slow to import, and few files have this table.
    from urlset.options.build_file import build_table

    return build_table(table_of(content["build"], f"{where}: build"), where, path)


def display_path(path: Path) -> str:
    """Return a path for messages: relative to the working directory if it is below it."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def read_toml(path: Path) -> dict[str, object]:
    """Read a TOML file.

    Raises:
        ConfigError: It cannot be read, is not valid TOML, or is behind a link that leads out of the repository.
    """
    if leads_out(path):
        raise ConfigError(f"{display_path(path)} {LEADS_OUT}")
    try:
        return decode_toml(read_file(path, MAX_CONFIG_BYTES).decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{display_path(path)}: cannot be read: {reason_of(error)}") from None
    except ValueError as error:
        raise ConfigError(f"{display_path(path)}: not valid TOML: {error}") from None


def _tool_table(content: Mapping[str, object], path: Path) -> dict[str, object]:
    return table_of(content.get("tool", {}), f"{display_path(path)}: tool")
