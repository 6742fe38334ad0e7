"""Resolve the effective options: the command line or Python takes precedence over the file, the file over defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct, field

from urlset.errors import ConfigError, UsageError
from urlset.options.configuration_file import ConfigFile, display_path, find, load
from urlset.options.declare import Face, Option, OptionGroup, options_of
from urlset.text.masking import mask_url

Verb = TypeVar("Verb", bound=OptionGroup)
Other = TypeVar("Other", bound=OptionGroup)

DEFAULT = "default"
"""Origin of a value that is not set anywhere."""

SECRET_MASK = "***"


class InForce(Struct, frozen=True):
    """An effective value.

    Attributes:
        option: The option.
        value: Its value, masked if it is a secret.
        origin: Its origin: the file, the option on the command line, or `default`.
    """

    option: Option
    value: object
    origin: str


class ResolvedOptions(Struct, Generic[Verb], frozen=True):
    """The configuration of a run.

    Attributes:
        options: The options of the verb.
        file: The configuration file, if any.
        in_force: Every option with its origin.
        explicit: The values that were set explicitly, by the names of options.
    """

    options: Verb
    file: ConfigFile | None = None
    in_force: tuple[InForce, ...] = field(default=())
    explicit: Mapping[str, object] = field(default_factory=dict)

    def of(self, verb: type[Other]) -> ResolvedOptions[Other]:
        """Return the options of another verb under the same configuration."""
        # The options `robots` of `build` and `validate` differ.
        same = {setting.option.name: setting.option.group for setting in self.in_force}
        names = {option.name for option in options_of(verb) if same.get(option.name) is option.group}
        return resolve(verb, self.file, {name: value for name, value in self.explicit.items() if name in names})

    def origin(self, name: str) -> str:
        return next((setting.origin for setting in self.in_force if setting.option.name == name), name)


def configuration(
    path: Path | None,
    *,
    search: bool = True,
    start: Path | None = None,
    on_skipped: Callable[[str], object] = lambda _: None,
) -> ConfigFile | None:
    """Read the configuration file of a run.

    Args:
        path: The file; None to search for one.
        start: The directory to search from; the working directory by default.
        on_skipped: Called with a message about a file that was found and not used.

    Raises:
        ConfigError: It cannot be read or is invalid.
    """
    if path is None:
        path = find(start or Path.cwd(), on_skipped) if search else None
    return None if path is None else load(path)


def resolve(
    verb: type[Verb], file: ConfigFile | None, explicit: Mapping[str, object], face: Face = Face.COMMAND_LINE
) -> ResolvedOptions[Verb]:
    """Resolve the options of a verb.

    Args:
        explicit: The values from the command line or Python, by the names of options.

    Raises:
        UsageError: A value is invalid, or values contradict each other.
        ConfigError: The same, if all of them come from the file.
    """
    known_options = options_of(verb)
    values: dict[str, object] = {}
    if file is not None:
        values = {option.name: file.values[_file_key(option)] for option in known_options if _is_set(option, file)}
    values |= explicit
    more: dict[str, object] = {}
    if file is not None and hasattr(verb, "globs_from"):
        more["globs_from"] = file.folder
    if hasattr(verb, "is_select_configured"):
        more["is_select_configured"] = "select" in values and "select" not in explicit
    if hasattr(verb, "is_base_configured"):
        more["is_base_configured"] = "base_url" in values and "base_url" not in explicit
    if file is not None:
        _check_secrets(known_options, file, explicit)
    for group in verb.__mro__:
        if "check_explicit" in group.__dict__:
            group.check_explicit(explicit)  # type: ignore[attr-defined]
    try:
        options = verb(**values, **more)
    except ConfigError:
        raise
    except UsageError as error:
        raise (error if explicit or file is None else ConfigError(f"{file.where}: {error}")) from None
    in_force = tuple(
        InForce(option, _mask_value(option, getattr(options, option.name)), _origin(option, explicit, file, face))
        for option in known_options
    )
    return ResolvedOptions(options, file, in_force, dict(explicit))


def _check_secrets(options: tuple[Option, ...], file: ConfigFile, explicit: Mapping[str, object]) -> None:
    """Check that a file does not decide what can read secrets that others gave: it can be from a pull request.

    Raises:
        ConfigError: It does.
    """
    secret = next((option for option in options if option.facts.secret and explicit.get(option.name)), None)
    for option in options:
        if (
            secret is not None
            and option.facts.guards_secrets
            and option.name not in explicit
            and _is_set(option, file)
            and file.values[_file_key(option)] != option.default
        ):
            raise ConfigError(
                f"{file.where}: {option.key}: a file cannot decide what reads the secret in --{secret.key}; "
                f"pass --{option.key}, or omit the key"
            )


def _is_set(option: Option, file: ConfigFile) -> bool:
    """Return whether a file sets an option. Its key can be that of another option, of the same name in other groups."""
    return Face.FILE in option.facts.faces and _file_key(option) in file.values


def _file_key(option: Option) -> str:
    """Return the key of an option in `ConfigFile.values`."""
    return f"{option.group.TABLE}.{option.name}" if option.group.TABLE else option.name


def _origin(option: Option, explicit: Mapping[str, object], file: ConfigFile | None, face: Face) -> str:
    if option.name in explicit:
        return option.spelling if face is Face.COMMAND_LINE else option.name
    if file is not None and _is_set(option, file):
        return display_path(file.path)
    return DEFAULT


def _mask_value(option: Option, value: object) -> object:
    """Return a value without secrets, to be shown."""
    if option.facts.has_user:
        return (
            tuple(map(mask_url, value))
            if isinstance(value, tuple)
            else mask_url(value)
            if isinstance(value, str)
            else value
        )
    if not value or not option.facts.secret:
        return value
    if isinstance(value, tuple):
        return tuple(f"{str(item).partition(':')[0].strip()}: {SECRET_MASK}" for item in value)
    return SECRET_MASK
