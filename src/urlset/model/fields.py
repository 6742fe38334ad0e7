"""Types with bounds of the fields of results, and what of a result is in its JSON.

A result is a `msgspec.Struct`. Each field carries its type with bounds and its description (`Meta`), from which its
JSON Schema and the reference of the Python API are derived. Its JSON has all fields in order, by the names that
`msgspec.field` gives them, and then its properties that are `computed`. `NOT_IN_JSON` and `Flat` annotate the others.
Where the JSON mixes parts of its fields, the class lists all members in `IN_JSON`, in the form of `Flat`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Generic, TypeAlias, TypeVar

from msgspec import Meta

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

F = TypeVar("F")
M = TypeVar("M")

VERSION: Final = 1
"""Version of the JSON of commands, raised on breaking changes."""

NonNegativeInt: TypeAlias = Annotated[int, Meta(ge=0)]
PositiveInt: TypeAlias = Annotated[int, Meta(ge=1)]
NonNegativeFloat: TypeAlias = Annotated[float, Meta(ge=0)]
Ratio: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
DateTimeText: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


@dataclass(frozen=True, slots=True)
class OneOf:
    """Annotates a string that is one of a closed set, which is only known to the core or to an enumeration."""

    values: Callable[[], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Columns:
    """Annotates a dictionary whose keys are columns of a table."""

    table: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Versioned(Generic[M]):
    """A result within that of another command, with the version of its own format."""

    result: M


def about(text: str) -> Meta:
    """Return the description of a field, for `Annotated`."""
    return Meta(description=text)


class Flat:
    """Annotates a field in whose place the JSON has attributes of its value: `attribute` or `name=attribute`."""

    __slots__ = ("members",)

    def __init__(self, *attributes: str) -> None:
        named = (attribute.rpartition("=") for attribute in attributes)
        self.members = {name or attribute.rpartition(".")[2]: attribute for name, _, attribute in named}


NOT_IN_JSON: Final = Flat()
"""Annotates a field that the JSON does not have."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a computed member in the JSON.

    Attributes:
        name: Its name.
        before: The member that follows it; empty if it is after all fields.
    """

    name: str
    before: str


def computed(name: str = "", *, before: str = "") -> Callable[[F], F]:
    """Add a property to the JSON. The decorator is below `@property`; type and docstring describe the member.

    Args:
        name: Its name, if not that of the property. It takes the place of a field of this name.
        before: The member that follows it; by default, it is after all fields.
    """

    def mark(getter: F) -> F:
        setattr(getter, PLACE, Place(name or getattr(getter, "__name__"), before))  # noqa: B009
        return getter

    return mark


PLACE: Final = "__place_in_json__"
"""The attribute of the getter of a computed property with its `Place`."""
