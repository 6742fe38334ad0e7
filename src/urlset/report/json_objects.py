"""Results as JSON objects: makes the object of a value from the members of its class.

The members are in a file per command: `report/<command>_json.py`, or `render_json.py` of the capability that it shows.
`json_schema` makes the schemas of the same objects.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from importlib import import_module
from operator import attrgetter
from typing import Any, Final, Generic, TypeVar

from msgspec import UNSET, Struct

from urlset.report.formats import JSON_OF
from urlset.report.rows import plain_value
from urlset.report.style import Style
from urlset.text.safe import json_pieces, json_text

VERSION: Final = 1
"""Version of the formats, raised on breaking changes."""

M = TypeVar("M")

Function = Callable[[Any], object]

Member = str | Function | tuple[str, Function]
"""A member of an object: an attribute such as `kind` or `rule.code`, under its last name, or `name=attribute`; a
function `_name`, whose return type and docstring describe it; or a name and a function. A member whose value is `UNSET`
is absent; an iterator is a list, which an `Output` writes item by item."""

Members = Mapping[str, tuple[Member, ...]]
"""The members of each class whose object is not the same as its fields, in order."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Annotates a dictionary whose keys are columns of a table."""

    table: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Versioned(Generic[M]):
    """A result within that of another command, with the version of its own format."""

    result: M


@dataclass(frozen=True, slots=True)
class Output(Generic[M]):
    """JSON that a command writes. The method `json` is a renderer.

    Attributes:
        command: The command, with the option that asks for it.
        about: What it has, as a sentence.
        of: The class of the result, with its module in `urlset.model`.
        listed: The member with the results, if there are several.
        name: The name of its schema, if not the command.
        members: Its members, if not those of the class.
    """

    command: str
    about: str
    of: str
    listed: str = ""
    name: str = ""
    members: tuple[Member, ...] = ()

    def json(self, result: M, style: Style = Style()) -> Iterator[str]:
        yield from json_pieces(self.content(result), ascii_only=style.ascii_only)

    def content(self, result: M) -> dict[str, object]:
        """Return the object; what is an iterator in the result is an iterator of JSON values."""
        if self.listed:
            return {"version": VERSION, self.listed: as_json(result)}
        made = _maker(self.members) if self.members else _maker_of(type(result))
        return {"version": VERSION} | {
            name: map(as_json, part) if isinstance(part, Iterator) else as_json(part)
            for name, part in made(result).items()
            if part is not UNSET
        }


@dataclass(frozen=True, slots=True)
class OneOrMore(Output[Sequence[M]]):
    """JSON of a single result, or an array if there may be several, without a version of its own."""

    def json(self, result: Sequence[M], style: Style = Style()) -> Iterator[str]:
        values = as_json(result)
        yield json_text(values if style.several else values[0], ascii_only=style.ascii_only)


def as_json(value: object) -> Any:
    """Return a result, or any part of one, as values that `json` can write."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, _LISTS):
        return list(map(as_json, value))
    if isinstance(value, str):
        return value
    if kind in _KNOWN or isinstance(value, Struct) or is_dataclass(kind):
        made = _maker_of(kind)(value)
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


def members_of(cls: type[Any]) -> tuple[Member, ...]:
    """Return the members of the object of a class: by default its fields, by the names that they have in JSON."""
    place = JSON_OF.get(cls.__module__.removeprefix("urlset."))
    module = sys.modules[cls.__module__] if place is None else import_module(f"urlset.{place}")
    listed: Members = getattr(module, "MEMBERS", {})
    if (members := listed.get(cls.__name__)) is not None:
        return members
    if is_dataclass(cls):
        return tuple(field.name for field in fields(cls))
    return tuple(map("{}={}".format, cls.__struct_encode_fields__, cls.__struct_fields__))


def named(member: Member) -> tuple[str, str | Function]:
    """Return the name of a member, and its attribute or function."""
    if isinstance(member, tuple):
        return member
    if not isinstance(member, str):
        return member.__name__.removeprefix("_"), member
    name, _, attribute = member.rpartition("=")
    return name or attribute.rpartition(".")[2], attribute


Maker = Callable[[Any], dict[str, object]]
"""Returns the members of an object with their values as they are."""


def _maker_of(cls: type) -> Maker:
    if (maker := _KNOWN.get(cls)) is None:
        maker = _KNOWN[cls] = _maker(members_of(cls))
    return maker


def _maker(members: tuple[Member, ...]) -> Maker:
    """Return what gives the members of an object: by a single call in C if they are all attributes."""
    names, parts = zip(*map(named, members), strict=True)
    if all(isinstance(of, str) for of in parts) and len(names) > 1:
        values = attrgetter(*parts)
        return lambda value: dict(zip(names, values(value), strict=True))
    getters = [attrgetter(of) if isinstance(of, str) else of for of in parts]
    return lambda value: {name: get(value) for name, get in zip(names, getters, strict=True)}


_KNOWN: dict[type, Maker] = {
    Versioned: lambda part: {"version": VERSION} | _maker_of(type(part.result))(part.result),
}

_LISTS = (list, tuple)

_PLAIN = frozenset({str, int, bool, type(None)})
"""Types of which `json` writes every value as it is."""
