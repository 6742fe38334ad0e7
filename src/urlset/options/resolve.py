"""The options in force: the command line or Python over the configuration file, the file over the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct, field

from urlset.errors import ConfigError, UsageError
from urlset.masking import masked
from urlset.options.declare import Face, Option, OptionGroup, options_of
from urlset.options.file import ConfigFile, find, load, shown

Verb = TypeVar("Verb", bound=OptionGroup)
Other = TypeVar("Other", bound=OptionGroup)

DEFAULT = "default"
"""Origin of a value that nobody set."""

MASKED = "***"


class InForce(Struct, frozen=True):
    """A value in force.

    Attributes:
        option: The option.
        value: Its value, masked if it is a secret.
        origin: Where it comes from: the file, the option on the command line, or `default`.
    """

    option: Option
    value: object
    origin: str


class Resolved(Struct, Generic[Verb], frozen=True):
    """The configuration of a run.

    Attributes:
        options: The options of the verb.
        file: The configuration file; None for none.
        in_force: Every option with its origin.
        given: What was set explicitly, by the names of options.
    """

    options: Verb
    file: ConfigFile | None = None
    in_force: tuple[InForce, ...] = field(default=())
    given: Mapping[str, object] = field(default_factory=dict)

    def of(self, verb: type[Other]) -> Resolved[Other]:
        """Return the options of another verb under the same configuration."""
        # `build` and `validate` have a `robots` each, which are different options.
        same = {each.option.name: each.option.group for each in self.in_force}
        names = {each.name for each in options_of(verb) if same.get(each.name) is each.group}
        return resolve(verb, self.file, {name: value for name, value in self.given.items() if name in names})

    def origin(self, name: str) -> str:
        """Return where the value of an option comes from."""
        return next((each.origin for each in self.in_force if each.option.name == name), name)


def configuration(path: Path | None, *, search: bool = True, start: Path | None = None) -> ConfigFile | None:
    """Read the configuration file of a run.

    Args:
        path: The file; None to search for one.
        search: Whether to search for one.
        start: The directory to search from; the working directory by default.

    Raises:
        ConfigError: It cannot be read, or something in it is wrong.
    """
    if path is None:
        path = find(start or Path.cwd()) if search else None
    return None if path is None else load(path)


def resolve(
    verb: type[Verb], file: ConfigFile | None, given: Mapping[str, object], face: Face = Face.COMMAND_LINE
) -> Resolved[Verb]:
    """Put the options of a verb together.

    Args:
        verb: The options of the verb.
        file: The configuration file; None for none.
        given: What the command line or Python sets, by the names of options.
        face: Which of them it is.

    Raises:
        UsageError: A value is wrong, or values contradict each other.
        ConfigError: The same, where all of them come from the file.
    """
    written = {} if file is None else file.values
    known = options_of(verb)
    values = {each.name: written[path] for each in known if (path := _written_at(each)) in written} | dict(given)
    more = {"globs_from": file.folder} if file is not None and hasattr(verb, "globs_from") else {}
    for group in verb.__mro__:
        if "check_given" in group.__dict__:
            group.check_given(given)  # type: ignore[attr-defined]
    try:
        options = verb(**values, **more)
    except ConfigError:
        raise
    except UsageError as error:
        raise (error if given or file is None else ConfigError(f"{file.where}: {error}")) from None
    in_force = tuple(
        InForce(each, _shown(each, getattr(options, each.name)), _origin(each, given, file, face)) for each in known
    )
    return Resolved(options, file, in_force, dict(given))


def _written_at(option: Option) -> str:
    """The key of an option in `ConfigFile.values`."""
    return f"{option.group.TABLE}.{option.name}" if option.group.TABLE else option.name


def _origin(option: Option, given: Mapping[str, object], file: ConfigFile | None, face: Face) -> str:
    if option.name in given:
        return f"--{option.key}" if face is Face.COMMAND_LINE else option.name
    if file is not None and _written_at(option) in file.values:
        return shown(file.path)
    return DEFAULT


def _shown(option: Option, value: object) -> object:
    """A value as it can be shown."""
    if option.facts.has_user and isinstance(value, str):
        return masked(value)
    if not value or not option.facts.secret:
        return value
    if isinstance(value, tuple):
        return tuple(f"{str(each).partition(':')[0].strip()}: {MASKED}" for each in value)
    return MASKED
