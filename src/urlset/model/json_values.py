"""Results as JSON values, with the members that their classes declare (`urlset.model.fields`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from operator import attrgetter
from typing import Annotated, Any, get_origin, get_type_hints

from msgspec import UNSET, Struct

from urlset.model.fields import PLACE, VERSION, Flat, Place, Versioned


def as_json(value: object) -> Any:
    """Return a result, or any part of one, as values that `json` can write."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, _LISTS):
        return list(map(as_json, value))
    if isinstance(value, str):
        return value
    if kind in _READERS or isinstance(value, Struct) or is_dataclass(kind):
        made = _READERS[kind](value)
        # A report can have a million examples, whose parts are all plain.
        if _PLAIN.issuperset(map(type, made.values())):
            return made
        return {
            name: part if type(part) in _PLAIN else as_json(part) for name, part in made.items() if part is not UNSET
        }
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, Iterator):
        return list(map(as_json, value))
    if isinstance(value, datetime) and value.tzinfo is not None:
        value = value.astimezone(UTC)
    return plain_value(value)


def plain_value(value: object) -> object:
    """Return a JSON value: instants in ISO 8601 with Z, bytes in hexadecimal, NaN and infinity as null."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return float(value)
        case datetime():
            return f"{value.replace(tzinfo=None).isoformat()}Z"
        case date() | time():
            return value.isoformat()
        case bytes() | bytearray() | memoryview():
            return bytes(value).hex()
        case Mapping():
            return {str(name): plain_value(item) for name, item in value.items()}
        case list() | tuple() | set():
            return [plain_value(item) for item in value]
        case _:
            return str(value)


def members_of(cls: type[Any]) -> Mapping[str, str]:
    """Return the attribute of each member of the JSON of a class, such as `kind` or `rule.code`, in order."""
    if (listed := getattr(cls, "IN_JSON", None)) is not None:
        return Flat(*listed).members
    members = list(_fields(cls))
    for place, attribute in _computed(cls):
        names = [name for name, _ in members]
        if place.name in names:
            members[names.index(place.name)] = (place.name, attribute)
        else:
            members.insert(names.index(place.before) if place.before else len(names), (place.name, attribute))
    return dict(members)


def _fields(cls: type[Any]) -> Iterator[tuple[str, str]]:
    """Yield the members that are fields, or attributes of their values."""
    if is_dataclass(cls):
        names = {field.name: field.name for field in fields(cls)}
    else:
        names = dict(zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True))
    hints = get_type_hints(cls, include_extras=True)
    for field, name in names.items():
        notes = hints[field].__metadata__ if get_origin(hints[field]) is Annotated else ()
        flat = next((note for note in notes if isinstance(note, Flat)), None)
        if flat is None:
            yield name, field
        else:
            yield from ((name, f"{field}.{attribute}") for name, attribute in flat.members.items())


def _computed(cls: type[Any]) -> Iterator[tuple[Place, str]]:
    """Yield the places of computed properties, those of base classes first."""
    for owner in reversed(cls.__mro__):
        for attribute, value in vars(owner).items():
            getter = getattr(value, "fget", None) or getattr(value, "func", None)
            if (place := getattr(getter, PLACE, None)) is not None:
                yield place, attribute


Reader = Callable[[Any], dict[str, object]]
"""Returns the members of a value, each with its value as it is."""


def reader_of(members: Mapping[str, str]) -> Reader:
    """Return what reads these members of a value, by a single call in C if there are several."""
    names, get = tuple(members), attrgetter(*members.values())
    if len(names) == 1:
        return lambda value: {names[0]: get(value)}
    return lambda value: dict(zip(names, get(value), strict=True))


class _Readers(dict[type, Reader]):
    """What reads the members of the values of each class, made when a value is first read."""

    def __missing__(self, cls: type) -> Reader:
        reader = self[cls] = reader_of(members_of(cls))
        return reader


_READERS = _Readers()
_READERS[Versioned] = lambda part: {"version": VERSION} | _READERS[type(part.result)](part.result)

_LISTS = (list, tuple)

_PLAIN = frozenset({str, int, bool, type(None)})
"""Types of which `json` writes every value as it is."""
