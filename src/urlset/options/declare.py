"""The declaration of options: each is one field of a frozen dataclass, with everything that its faces need.

The command line, the configuration file, `urlset config`, the Python API, the JSON Schema, and the reference pages
are derived from these fields. A field's name is its name everywhere, with `-` for `_` where that is usual.
"""

from __future__ import annotations

import inspect
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    NoReturn,
    TypeVar,
    dataclass_transform,
    get_type_hints,
    overload,
)

from msgspec import Meta, Struct, structs

from urlset.options.convert import convert_value
from urlset.options.values import LARGEST, REQUIRED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

T = TypeVar("T")

Natural = Annotated[int, Meta(ge=0, le=LARGEST)]
Positive = Annotated[int, Meta(ge=1, le=LARGEST)]
PositiveNumber = Annotated[float, Meta(gt=0, le=LARGEST)]
NaturalNumber = Annotated[float, Meta(ge=0, le=LARGEST)]
Percentage = Annotated[float, Meta(ge=0, le=100)]
Share = Annotated[float, Meta(ge=0, le=1)]
Text = Annotated[str, Meta(min_length=1)]
"""A string that is not empty."""


class Panel(StrEnum):
    """The headings in the help of a command, in order."""

    TARGETS = "Targets"
    RULES = "Rules"
    OUTPUT = "Output"
    SOURCES = "Sources"
    ENTRIES = "Entries"
    REPORT = "Report"
    PAGES = "Pages"
    LOGS = "Logs"
    STORE = "Store"
    INDEXNOW = "IndexNow"
    GOOGLE = "Google"
    FOLLOWING = "Following"
    CONFIGURATION = "Configuration"
    NETWORK = "Network"


NETWORK = "network"
"""The table of the configuration file that can hold the top-level keys for the network."""


class Face(StrEnum):
    """The ways to set an option."""

    COMMAND_LINE = "command line"
    FILE = "configuration file"
    PYTHON = "Python"


EVERYWHERE = frozenset(Face)

PER_RUN = frozenset({Face.COMMAND_LINE, Face.PYTHON})
"""The faces of options for a single call rather than a project."""

COMMAND_LINE = frozenset({Face.COMMAND_LINE})

SETTING = frozenset({Face.FILE, Face.PYTHON})
"""The faces of options that are set once for a project. The command line sets them with `--set KEY=VALUE`."""


class Resume(StrEnum):
    """Where a resumed audit takes the value of an option from."""

    KEPT = "kept"
    """From the interrupted run."""
    GIVEN_AGAIN = "given again"
    """From the interrupted run, if it is given again: it names a file to read, and a store can be from someone else."""
    NEW = "new"
    """As for a new run: how the machine and the network are used, and what is secret."""


class Names(StrEnum):
    """What the value of an option names, for shell completion."""

    RULES = "rules"
    TOPICS = "commands and topics"
    KEYS = "keys of the configuration file"


OF_GROUP: Any = None
"""Marks a value that the group of an option declares for all of its options."""


class OptionFacts(Struct, frozen=True, kw_only=True):
    """The declaration of an option, apart from its name, type, and default.

    `option_group` sets the panel, the faces, and `resume` of options that do not declare them.

    Attributes:
        help: What it does: one sentence without a full stop.
        panel: The heading that lists it.
        metavar: The placeholder for its value in help texts.
        example: A value as TOML.
        short: The one-letter spelling on the command line, without the hyphen.
        faces: Where it can be set.
        envvar: The environment variable that also sets it.
        secret: Whether its value must never be shown.
        has_user: Whether its value may be a URL with a user name and password, which are never shown.
        is_output: Whether it names a file that is written, as FILE or FORMAT:FILE, and so must not be an input.
        guards_secrets: Whether it decides what can read a secret that is sent, so that a file must not set it for a
            secret that it does not have.
        is_place: Whether it is a path, relative to the configuration file that sets it.
        default_text: The default in help texts, where the value alone is not clear.
        more: Further sentences that only the reference shows after `help`.
        without: For a flag that is on by default: what `--no-…` does.
        positional: Whether the command line takes it as an argument instead of an option.
        rare: Whether the help of a command only names it, and `urlset help` describes it.
        commas: Whether the command line accepts a comma-separated list.
        names: What its value names, for shell completion.
        spelling: Its key, if that is not its name with hyphens.
        resume: Where a resumed audit takes its value from; None if `audit` does not have it.
        removed: Values that it no longer accepts, and what to use instead.
    """

    help: str
    panel: Panel = OF_GROUP
    metavar: str = ""
    example: str = ""
    short: str = ""
    faces: frozenset[Face] = OF_GROUP
    envvar: str = ""
    secret: bool = False
    has_user: bool = False
    is_output: bool = False
    guards_secrets: bool = False
    is_place: bool = False
    default_text: str = ""
    more: str = ""
    without: str = ""
    positional: bool = False
    rare: bool = False
    commas: bool = False
    names: Names | None = None
    spelling: str = ""
    resume: Resume | None = OF_GROUP
    removed: Mapping[str, str] = {}


def option(default: T, facts: OptionFacts) -> T:
    """Declare an option as a field of a dataclass."""
    return field(default=default, repr=not (facts.secret or facts.has_user), metadata={OptionFacts: facts})


def option_from(factory: Callable[[], T], facts: OptionFacts) -> T:
    """Declare an option with a default factory, such as a mapping."""
    return field(default_factory=factory, metadata={OptionFacts: facts})


def required(facts: OptionFacts) -> Any:
    """Declare an option without a default, as a field of a table such as `[[rule]]`."""
    return field(metadata={OptionFacts: facts})


class OptionGroup:
    """Base class of all groups of options, and of records that the configuration file holds as tables.

    Attributes:
        TABLE: The table of the configuration file with the keys of the group; empty for the top level.
    """

    TABLE: ClassVar[str] = ""

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[object]]]
    else:

        def __init__(self, **values: object) -> None:
            """Set every field, then check the values.

            Raises:
                TypeError: There is no such field, or one without a default is missing.
                UsageError: A value is not of its type or out of bounds, or values contradict each other.
            """
            for each in fields(self):
                if each.name in values:
                    value = values.pop(each.name)
                elif each.default is not MISSING:
                    value = each.default
                elif each.default_factory is not MISSING:
                    value = each.default_factory()
                else:
                    raise TypeError(f"{type(self).__name__} requires {each.name!r}")
                self.__dict__[each.name] = value
            if values:
                raise TypeError(f"{type(self).__name__} has no field {min(values)!r}")
            self.__post_init__()

        def __setattr__(self, name: str, value: object) -> NoReturn:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name: str) -> NoReturn:
            raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return self.__dict__ == other.__dict__ if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__.values()))

    def __repr__(self) -> str:
        values = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
        return f"{type(self).__qualname__}({values})"

    @classmethod
    def placed(cls, where: str) -> dict[str, str]:  # noqa: ARG003 - for records that remember their place
        """Return the fields of a record that hold the place of its declaration; most records have none."""
        return {}

    def __post_init__(self) -> None:
        """Convert every value to its declared type, then run `check` of each group, for what the types cannot express.

        Raises:
            UsageError: A value has the wrong type or is out of range, or values contradict each other.
        """
        for each in options_of(type(self)):
            value = getattr(self, each.name)
            if value is not each.default:
                object.__setattr__(self, each.name, convert_value(each, value, each.name))
        for group in type(self).__mro__:
            if "check" in group.__dict__:
                group.check(self)  # type: ignore[attr-defined]


class Option(Struct, frozen=True):
    """A declared option.

    Attributes:
        name: Its name, as a field and in Python.
        annotation: Its type, with its limits as `msgspec.Meta`.
        default: Its default.
        facts: The rest of its declaration.
        group: The group that declares it.
    """

    name: str
    annotation: object
    default: object
    facts: OptionFacts
    group: type[OptionGroup]

    @property
    def key(self) -> str:
        """Its name on the command line and in the configuration file."""
        return self.facts.spelling or self.name.replace("_", "-")

    @property
    def path(self) -> str:
        """Its key with its table: `timeout`, `audit.sample`."""
        return f"{self.group.TABLE}.{self.key}" if self.group.TABLE else self.key

    @property
    def setting(self) -> str:
        """Its path as `--set` takes it: keys for the network are also in the table `network`."""
        is_in_network = self.facts.panel is Panel.NETWORK and not self.group.TABLE
        return f"{NETWORK}.{self.key}" if is_in_network else self.path

    @property
    def is_setting(self) -> bool:
        """Whether the command line sets it with `--set`: it is a key of the file, and not an option."""
        return Face.FILE in self.facts.faces and Face.COMMAND_LINE not in self.facts.faces

    @property
    def spelling(self) -> str:
        """How the command line sets it: `--timeout`, `--set network.read-timeout`."""
        return f"--set {self.setting}" if self.is_setting else f"--{self.key}"


@overload
def option_group(group: type[T], /) -> type[T]: ...


@overload
def option_group(
    *, panel: Panel | None = None, faces: frozenset[Face] = EVERYWHERE, resume: Resume | None = None
) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def option_group(
    group: type[T] | None = None,
    /,
    *,
    panel: Panel | None = None,
    faces: frozenset[Face] = EVERYWHERE,
    resume: Resume | None = None,
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class of options a frozen dataclass whose fields are given by name.

    The methods are those of `OptionGroup`: writing and compiling them for each group would take most of the time in
    which a command starts.

    Args:
        panel: The panel of the options that the class declares, if they do not declare another one.
        faces: Where they can be set.
        resume: Where a resumed audit takes their values from.
    """
    if group is None:
        return partial(_made_group, panel=panel, faces=faces, resume=resume)
    return _made_group(group, panel=panel, faces=faces, resume=resume)


def _made_group(group: type[T], *, panel: Panel | None, faces: frozenset[Face], resume: Resume | None) -> type[T]:
    for name, declared in vars(group).items():
        if isinstance(declared, Field) and OptionFacts in declared.metadata:
            facts = declared.metadata[OptionFacts]
            if facts.panel is None and panel is None:
                raise TypeError(f"{group.__name__}.{name} has no panel")
            filled = structs.replace(
                facts, panel=facts.panel or panel, faces=facts.faces or faces, resume=facts.resume or resume
            )
            declared.metadata = MappingProxyType({OptionFacts: filled})
    return dataclass(init=False, repr=False, eq=False, kw_only=True)(group)


_DECLARED: dict[type[OptionGroup], tuple[Option, ...]] = {}


def options_of(options: type[OptionGroup]) -> tuple[Option, ...]:
    """Return the options of a group, or of a verb, in the order of their declaration."""
    if options not in _DECLARED:
        _DECLARED[options] = tuple(_read_options(options))
    return _DECLARED[options]


def _read_options(options: type[OptionGroup]) -> Iterator[Option]:
    hints = get_type_hints(options, include_extras=True)
    for each in fields(options):
        facts = each.metadata.get(OptionFacts)
        if facts is not None:
            default = each.default if each.default is not MISSING else _factory_default(each)
            yield Option(each.name, hints[each.name], default, facts, _group_of(options, each.name))


def _factory_default(declared: Field[object]) -> object:
    return REQUIRED if declared.default_factory is MISSING else declared.default_factory()


def _group_of(options: type[OptionGroup], name: str) -> type[OptionGroup]:
    for parent in reversed(options.__mro__):
        if name in inspect.get_annotations(parent):
            return parent
    raise LookupError(name)
