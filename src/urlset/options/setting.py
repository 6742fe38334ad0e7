"""Keys of the configuration file on the command line: `--set network.read-timeout=5`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import inspect

from urlset.errors import ConfigError, UsageError
from urlset.files.structured import decode_toml
from urlset.options.configuration_file import OWN_FILE
from urlset.options.convert import arguments_of, hint, kind
from urlset.options.declare import Face, Option
from urlset.options.toml_tables import value_of
from urlset.text.masking import mask_url


def set_values(texts: Iterable[str], options: Iterable[Option], command: str) -> dict[str, object]:
    """Return the values of `--set`, by the names of options.

    Args:
        texts: The values of the option, written as KEY=VALUE.

    Raises:
        UsageError: A key is unknown or set twice, or a value is invalid.
    """
    options_by_key = {
        path: each for each in options if Face.FILE in each.facts.faces for path in {each.path, each.setting}
    }
    values: dict[str, object] = {}
    for text in texts:
        key, sign, value = (part.strip() for part in text.partition("="))
        if not sign:
            # The text is not shown, since it can be a secret.
            raise UsageError("--set: must be written as KEY=VALUE, such as network.read-timeout=5")
        option, entry = _find_option(key, options_by_key, command)
        new, old = _value(option, entry, value, key), values.get(option.name)
        if isinstance(new, Mapping) and isinstance(old, Mapping) and not new.keys() & old.keys():
            new = {**old, **new}
        elif option.name in values:
            raise UsageError(f"--set {key}: set twice; set it once, and write a list as [A, B]")
        values[option.name] = new
    return values


def _find_option(key: str, options_by_key: Mapping[str, Option], command: str) -> tuple[Option, str | None]:
    """Return the option of a key, and the entry of a table that the key names: `near-limit` in `limits.near-limit`.

    Raises:
        UsageError: There is no such key, or the command does not use it.
    """
    if key in options_by_key:
        return options_by_key[key], None
    for path, option in options_by_key.items():
        if key.startswith(f"{path}.") and isinstance(kind(option.annotation), inspect.DictType):
            return option, key.removeprefix(f"{path}.").strip("\"'")
    if key in _keys_of_the_file():
        raise UsageError(f"--set {key}: `urlset {command}` does not use this key")
    suggestion = hint(key.replace("_", "-").lower(), options_by_key) or "; `urlset config` shows the keys"
    raise UsageError(f"--set: unknown key {mask_url(key)!r}{suggestion}")


def _keys_of_the_file() -> set[str]:
    # Slow to import, and only errors need them.
    from urlset.options.auditing import KeyedOptions
    from urlset.options.build_file import in_file
    from urlset.options.building import SiteOptions

    options = (*in_file(KeyedOptions), *in_file(SiteOptions))
    return {path for option in options for path in (option.path, option.setting)}


def _value(option: Option, entry: str | None, text: str, key: str) -> object:
    """Return the value of a key: of TOML, or of plain text where that is not what the option takes.

    Raises:
        UsageError: It is neither.
    """
    first: ConfigError | None = None
    for value in _readings(option, entry, text):
        try:
            return value_of(option, value if entry is None else {entry: value}, f"--set {key}", Path.cwd() / OWN_FILE)
        except ConfigError as error:
            first = first or error
    assert first is not None
    raise UsageError(str(first)) from None


def _readings(option: Option, entry: str | None, text: str) -> Iterable[object]:
    """Yield what a text can mean, in the order in which it is tried."""
    try:
        # A second line would be another key.
        value = decode_toml(f"value = {text}")["value"] if text.isprintable() else text
    except ValueError:
        value = text
    yield value
    if value != text:
        yield text
    annotation = option.annotation if entry is None else arguments_of(option.annotation)[1]
    types = kind(annotation)
    if isinstance(types, inspect.VarTupleType | inspect.UnionType):
        text = value if isinstance(value, str) else text
        yield [part.strip() for part in text.split(",")] if option.facts.commas or entry is not None else [text]
