"""JSON Schemas of the output of commands, from the annotations and docstrings of what they return."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache, reduce
from importlib import import_module
from operator import or_
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.json import schema_components

from urlset.model.fields import VERSION, Columns, Flat, OneOf, Versioned
from urlset.model.json_values import members_of
from urlset.report.formats import OUTPUTS, renderer
from urlset.report.json_outputs import OneOrMore, Output
from urlset.tables import TABLES

KEPT = "New names may be added within version 1; existing names are not removed and keep their meaning."


@cache
def outputs() -> Mapping[str, Output]:
    """Return the outputs of commands that have a schema, by its name."""
    return {one.name or one.command.replace("--", ""): one for one, _ in _outputs()}


def _outputs() -> Iterator[tuple[Output, str]]:
    """Yield each output that has a schema, with the class of the result of its command."""
    for each in OUTPUTS.values():
        output = getattr(renderer(each.formats["json"]), "__self__", None) if "json" in each.formats else None
        if isinstance(output, Output):
            yield output, each.of


def names() -> list[str]:
    """Return the names of the schemas: those of the commands."""
    return sorted(outputs())


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an output, one of `names`."""
    output = outputs()[name]
    result = class_of(output)
    if isinstance(output, OneOrMore):
        (one,), definitions = schema_components([_struct(result)], ref_template="#/$defs/{name}")
        content = {"oneOf": [one, {"type": "array", "minItems": 1, "items": one}]}
    else:
        members: list[Any] = _members(result, output.members_of(result))
        if output.listed:
            members = [(output.listed, list[_struct(result)])]  # type: ignore[misc]
        _, definitions = schema_components([_versioned("Result", members)], ref_template="#/$defs/{name}")
        content = definitions.pop("Result")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:urlset:schema:{name.replace(' ', '-')}:{VERSION}",
        **content,
        "title": f"Result of `urlset {output.command} --format json`, version {VERSION}",
        "description": f"{output.about} {KEPT}",
        "$defs": definitions,
    }


def class_of(output: Output) -> type:
    """Return the class of the result of an output."""
    of = next(of for one, of in _outputs() if one is output)
    module, _, cls = (output.of or of).partition(":")
    kind: type = getattr(import_module(f"urlset.{module}"), cls)
    return kind


def _versioned(name: str, members: list[Any]) -> type[Struct]:
    """Return a struct with these members, and the version before them."""
    version = ("version", Annotated[Literal[VERSION], Meta(description="Version of this format.")])
    members = [version, *(member for member in members if member[0] != "version")]
    return defstruct(name, members, forbid_unknown_fields=True, kw_only=True)


@cache
def _struct(kind: type) -> type[Struct]:
    """Return a struct with the members of the object of a class, which may have type arguments."""
    name = "_".join(cls.__name__ for cls in (get_origin(kind) or kind, *get_args(kind)))
    about = (inspect.getdoc(get_origin(kind) or kind) or "").partition("\n")[0]
    members = _members(kind, members_of(get_origin(kind) or kind))
    return defstruct(name, members, forbid_unknown_fields=True, kw_only=True, namespace={"__doc__": about})


def _members(cls: type, of_object: Mapping[str, str]) -> list[tuple[str, Any] | tuple[str, Any, UnsetType]]:
    """Return the names and types of the members of the object of a class; those that may be absent are unset."""
    members: list[tuple[str, Any] | tuple[str, Any, UnsetType]] = []
    for name, attribute in of_object.items():
        kind, about = _attribute(cls, attribute)
        description = re.sub(r"\bNone\b", "null", about) or None
        annotated: Any = Annotated[_translate(kind), Meta(description=description)]
        members.append((name, annotated, UNSET) if UnsetType in get_args(kind) else (name, annotated))
    return members


def _attribute(cls: type, path: str) -> tuple[Any, str]:
    """Return the type and the description of an attribute, such as `kind` or `rule.code`."""
    *owners, name = path.split(".")
    for owner in owners:
        kind, _ = _described(_hints(cls)[owner])
        # A union of classes has what they have in common.
        cls = cast("type", (get_args(kind) or (kind,))[0])
    value = getattr(get_origin(cls) or cls, name, None)
    getter = getattr(value, "fget", None) or getattr(value, "func", None)
    return _described(_hints(cls)[name]) if getter is None else _returned(getter)


def _returned(function: Any) -> tuple[Any, str]:
    """Return the type of what a function or property returns, and its description: the first paragraph of its text."""
    return _hints(function)["return"], " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())


def _described(kind: Any) -> tuple[Any, str]:
    """Return the type of a field, and its description, which is in its last annotation."""
    if get_origin(kind) is not Annotated:
        return kind, ""
    inner, *notes, last = (part for part in get_args(kind) if not isinstance(part, Flat))
    about = last if isinstance(last, str) else getattr(last, "description", None)
    if about is None:
        return kind, ""
    return (Annotated[inner, *notes] if notes else inner), about


def _translate(kind: object) -> object:
    """Return the type of what `as_json` makes of a value of a type."""
    if isinstance(kind, type) and get_origin(kind) is None:
        if kind is datetime:
            return Annotated[datetime, Meta(tz=True)]
        if kind in (Path, object):
            return str if kind is Path else Any
        is_object = issubclass(kind, Struct) or is_dataclass(kind)
        return _struct(kind) if is_object else kind
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated and isinstance(arguments[1], Columns):
        return _row(arguments[1])
    if origin is Annotated:
        for meta in arguments[1:]:
            if isinstance(meta, OneOf):
                return Literal[*map(str, meta.values())]
        return Annotated[_translate(arguments[0]), *arguments[1:]]
    if origin in (Union, UnionType):
        return reduce(or_, (None if argument is NoneType else _translate(argument) for argument in arguments))
    if origin in (None, Literal):
        return kind
    if origin is Versioned:
        return _versioned(arguments[0].__name__, _members(arguments[0], members_of(arguments[0])))
    if issubclass(origin, Struct):
        return _struct(cast("type", kind))
    if issubclass(origin, Mapping):
        value = _translate(arguments[-1])
        is_closed = isinstance(arguments[0], type) and issubclass(arguments[0], Enum)
        return _by_value(arguments[0], value) if is_closed else dict[str, value]  # type: ignore[valid-type]
    if origin is tuple and arguments[-1] is not ...:
        return tuple[*map(_translate, arguments)]  # type: ignore[misc]
    return list[_translate(arguments[0])]  # type: ignore[misc]


_COLUMN_TYPES: dict[str, Any] = {
    "int32": int,
    "int64": int,
    "double": float,
    "bool": bool,
    "text": str,
    "text[]": list[str],
    "int64[]": list[int],
    "timestamp": Annotated[datetime, Meta(tz=True)],
}
"""The type of the values in a column, by the type of the column."""


def _row(columns: Columns) -> type[Struct]:
    """Return a struct with columns of a table, any of which may be null."""
    fields = [TABLES[columns.table].column(name) for name in columns.names]
    members = [
        (column.name, Annotated[_COLUMN_TYPES[column.type] | None, Meta(description=column.about)]) for column in fields
    ]
    return defstruct(f"{columns.table}_row", members, forbid_unknown_fields=True)


@cache
def _by_value(of: type[Enum], kind: Any) -> type[Struct]:
    """Return a struct with an optional member for each value of an enumeration."""
    names = {f"_{number}": value.value for number, value in enumerate(of)}
    members = [(name, kind | UnsetType, UNSET) for name in names]
    return defstruct(f"by_{of.__name__}", members, forbid_unknown_fields=True, rename=names)


def _hints(of: object) -> dict[str, object]:
    """Return the types in the annotations of a function or a class, which may have type arguments."""
    cls: Any = get_origin(of) or of
    hints = get_type_hints(cls, include_extras=True)
    of_parameter = dict(zip(getattr(cls, "__parameters__", ()), get_args(of), strict=False))
    return {name: _fill_parameters(kind, of_parameter) for name, kind in hints.items()} if of_parameter else hints


def _fill_parameters(kind: Any, of_parameter: Mapping[object, object]) -> object:
    """Return a type with arguments for the type parameters in it."""
    if inner := getattr(kind, "__parameters__", ()):
        return kind[tuple(of_parameter[parameter] for parameter in inner)]
    return of_parameter.get(kind, kind)
