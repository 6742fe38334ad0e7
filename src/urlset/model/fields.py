"""Types with bounds of the fields of results.

A result is a `msgspec.Struct`. Each field carries its type with bounds and its description (`Meta`), from which its
JSON Schema and the reference of the Python API are derived.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import Meta

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

NonNegativeInt: TypeAlias = Annotated[int, Meta(ge=0)]
PositiveInt: TypeAlias = Annotated[int, Meta(ge=1)]
NonNegativeFloat: TypeAlias = Annotated[float, Meta(ge=0)]
Ratio: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class OneOf:
    """Annotates a string that is one of a closed set, which is only known to the core or to an enumeration."""

    values: Callable[[], Iterable[str]]


def about(text: str) -> Meta:
    """Return the description of a field, for `Annotated`."""
    return Meta(description=text)
