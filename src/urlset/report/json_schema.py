"""JSON Schemas of the output of commands, from the annotations and docstrings of what they return."""

from __future__ import annotations

import builtins
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache, reduce
from importlib import import_module
from operator import or_
from pathlib import Path
from pkgutil import iter_modules
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.json import schema_components

import urlset.model
from urlset import _core
from urlset.options.reading_logs import LOG_FORMATS, LogFormat
from urlset.report.formats import OUTPUTS, renderer
from urlset.report.json_objects import VERSION, Columns, Member, OneOrMore, Output, Versioned, members_of, named
from urlset.tables import TABLES
from urlset.web.indexability import PageReason

KEPT = "New names may be added within version 1; existing names are not removed and keep their meaning."

_STANDARD: dict[str, object] = {
    "Iterator": Iterator,
    "Mapping": Mapping,
    "Path": Path,
    "Sequence": Sequence,
    "date": date,
    "datetime": datetime,
}
"""Names of the standard library that modules of `urlset.model` import only for type checkers."""


@cache
def outputs() -> Mapping[str, Output[Any]]:
    """Return the outputs of commands that have a schema, by its name."""
    renderers = (renderer(each.formats["json"]) for each in OUTPUTS.values() if "json" in each.formats)
    found = (getattr(render, "__self__", None) for render in renderers)
    return {one.name or one.command.replace("--", ""): one for one in found if isinstance(one, Output)}


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
        members: list[Any] = _members(result, output.members or members_of(result))
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


def class_of(output: Output[Any]) -> type:
    """Return the class of the result of an output."""
    module, _, cls = output.of.rpartition(".")
    kind: type = getattr(import_module(module if module.startswith("urlset.") else f"urlset.model.{module}"), cls)
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


def _members(cls: type, of_object: Iterable[Member]) -> list[tuple[str, Any] | tuple[str, Any, UnsetType]]:
    """Return the names and types of the members of the object of a class; those that may be absent are unset."""
    members: list[tuple[str, Any] | tuple[str, Any, UnsetType]] = []
    for name, of in map(named, of_object):
        if isinstance(of, str):
            *path, attribute = of.split(".")
            owner = cls
            for part in path:
                # A union of classes has what they have in common.
                kind = _hints(owner)[part]
                owner = cast("type", (get_args(kind) or (kind,))[0])
            kind, about = _attribute(owner, attribute)
        else:
            kind, about = _hints(of)["return"], _first_paragraph(of)
        about = re.sub(r"\bNone\b", "null", about)
        may_be_absent = UnsetType in get_args(kind)
        kind = _translate(_closed_type(kind, about), _minimum(name, about))
        if kind in (float, float | None) and "from 0 to 1" in about:
            share = Annotated[float, Meta(ge=0, le=1)]
            kind = share if kind is float else share | None
        annotated: Any = Annotated[kind, Meta(description=about or None)]
        members.append((name, annotated, UNSET) if may_be_absent else (name, annotated))
    return members


def _minimum(name: str, about: str) -> int | None:
    """Return the minimum of a count, of the counts in a map, of an HTTP status, or of a position."""
    if name in ("line", "column", "col", "run") or re.search(r"\b(from|at least) 1\b", about):
        return 1
    is_size = re.search(r"\b(number of|size|position|in bytes|status code|http status)\b", about, re.IGNORECASE)
    return 0 if is_size else None


def _attribute(cls: type, name: str) -> tuple[object, str]:
    """Return the type and the description of an attribute."""
    value = getattr(cls, name, None)
    if isinstance(value, property) and value.fget is not None:
        return _hints(value.fget)["return"], _first_paragraph(value.fget)
    return _hints(cls)[name], _description(get_origin(cls) or cls, name)


def _description(cls: type, name: str) -> str:
    """Return the description of a field: in the docstring of its class, or in a string of its own after the field."""
    for ancestor in cls.__mro__[:-1]:
        attributes = inspect.cleandoc(ancestor.__doc__ or "").partition("Attributes:\n")[2]
        if about := re.search(rf"^    {name}: (.*(?:\n     +.*)*)", attributes, re.MULTILINE):
            return " ".join(about[1].split())
        is_own = name in vars(ancestor).get("__annotations__", {}) and ancestor.__module__.startswith("urlset.")
        source = inspect.getsource(ancestor) if is_own else ""
        if about := re.search(rf'^    {name}: .*\n    """([^"]*)"""', source, re.MULTILINE):
            return " ".join(about[1].split())
    return ""


def _closed_type(kind: object, about: str) -> object:
    """Return the type of a text, limited to the closed set that its description names, such as `a PageReason`."""
    named_set = re.search(r"\ban? `?([A-Z]\w+)`?", about)
    if kind not in (str, str | None) or named_set is None or named_set[1] not in _CLOSED:
        return kind
    values = Literal[*_CLOSED[named_set[1]]()]  # type: ignore[valid-type]
    return values if kind is str else values | None


_CLOSED: dict[str, Callable[[], Iterable[str]]] = {
    "PageReason": lambda: [reason.value for reason in PageReason],
    "ExtensionKey": lambda: _core.vocabularies()["extension_keys"],
    "ExtensionProblem": lambda: _core.vocabularies()["extension_problems"],
    "LogFormat": lambda: (*LOG_FORMATS, LogFormat.CUSTOM.value),
    "UrlProblem": lambda: _core.vocabularies()["url_problems"],
}


def _first_paragraph(of: object) -> str:
    return " ".join((inspect.getdoc(of) or "").partition("\n\n")[0].split())


def _translate(kind: object, least: int | None = None) -> object:
    """Return the type of what `as_json` makes of a value of a type.

    Args:
        least: The minimum of the number, or of the numbers in the map.
    """
    if isinstance(kind, type) and get_origin(kind) is None:
        if kind in (int, float) and least is not None:
            return Annotated[kind, Meta(ge=least)]
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
        return Annotated[_translate(arguments[0], least), *arguments[1:]]
    if origin in (Union, UnionType):
        return reduce(or_, (None if argument is NoneType else _translate(argument, least) for argument in arguments))
    if origin in (None, Literal):
        return kind
    if origin is Versioned:
        return _versioned(arguments[0].__name__, _members(arguments[0], members_of(arguments[0])))
    if is_dataclass(origin):
        return _struct(cast("type", kind))
    if issubclass(origin, Mapping):
        value = _translate(arguments[-1], least)
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
    hints = get_type_hints(cls, localns=_Names(vars(sys.modules[cls.__module__])), include_extras=True)
    of_parameter = dict(zip(getattr(cls, "__parameters__", ()), get_args(of), strict=False))
    return {name: _fill_parameters(kind, of_parameter) for name, kind in hints.items()} if of_parameter else hints


def _fill_parameters(kind: Any, of_parameter: Mapping[object, object]) -> object:
    """Return a type with arguments for the type parameters in it."""
    if inner := getattr(kind, "__parameters__", ()):
        return kind[tuple(of_parameter[parameter] for parameter in inner)]
    return of_parameter.get(kind, kind)


class _Names(dict[str, object]):
    """The names in annotations: those of the module, then those that it imports only for type checkers."""

    def __missing__(self, name: str) -> object:
        if name in _STANDARD:
            return _STANDARD[name]
        modules = (
            ()
            if hasattr(builtins, name)
            else (
                "urlset.rules.rule",
                "urlset.web.agents",
                "urlset.errors",
                "urlset.web.llms_txt",
                "urlset.options.coverage",
                "urlset.options.sources",
                "urlset.web.robots_txt",
                "urlset.web.robots_content",
                *_MODULES,
            )
        )
        for module in modules:
            if name in (namespace := vars(import_module(module))):
                return namespace[name]
        raise KeyError(name)


_MODULES = [f"urlset.model.{module.name}" for module in iter_modules(urlset.model.__path__)]
