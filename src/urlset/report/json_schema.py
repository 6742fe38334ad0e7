"""JSON Schemas of the output of commands, from the annotations and docstrings of what they return."""

from __future__ import annotations

import builtins
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date, datetime
from functools import cache, reduce
from importlib import import_module
from importlib.resources import files
from operator import or_
from pathlib import Path
from pkgutil import iter_modules
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.json import schema_components

import urlset.model
from urlset import _core
from urlset.pages import PageReason
from urlset.report.json_objects import OUTPUTS, VERSION, Columns, Member, Output, members_of, named
from urlset.tables import TABLES

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

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


def names() -> list[str]:
    """Return the names of the outputs that have a schema: those of the commands."""
    stored = (path.name.removesuffix(".schema.json") for path in _folder().iterdir() if path.name.endswith(".json"))
    return sorted({*OUTPUTS, *stored})


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an output, one of `names`."""
    if name in OUTPUTS:
        return _schema_of(name, OUTPUTS[name])
    text = _folder().joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def _folder() -> Traversable:
    return files("urlset.report").joinpath("schemas")


def _schema_of(name: str, output: Output[object]) -> dict[str, object]:
    result = _class(output.of)
    version = ("version", Annotated[Literal[VERSION], Meta(description="Version of this format.")])
    members: list[Any] = [(output.listed, list[_struct(result)])]  # type: ignore[misc]
    if not output.listed:
        members = [one for one in _members(result, output.members or members_of(result)) if one[0] != "version"]
    whole = defstruct("Result", [version, *members], forbid_unknown_fields=True, kw_only=True)
    _, definitions = schema_components([whole], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:urlset:schema:{name.replace(' ', '-')}:{VERSION}",
        **definitions.pop("Result"),
        "title": f"Result of `urlset {output.command} --format json`, version {VERSION}",
        "description": f"{output.about} {KEPT}",
        "$defs": definitions,
    }


@cache
def _struct(cls: type) -> type[Struct]:
    """Return a struct with the members of the object of a class."""
    about = (inspect.getdoc(cls) or "").partition("\n")[0]
    members = _members(cls, members_of(cls))
    return defstruct(cls.__name__, members, forbid_unknown_fields=True, kw_only=True, namespace={"__doc__": about})


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
            kind, about = _hints(of)["return"], _first(of)
        about = re.sub(r"\bNone\b", "null", about)
        if (least := _least(name, about)) is not None:
            kind = _bounded(kind, least)
        described: Any = Annotated[_translated(_closed(kind, about)), Meta(description=about or None)]
        members.append((name, described, UNSET) if UnsetType in get_args(kind) else (name, described))
    return members


def _bounded(kind: object, least: int) -> object:
    """Return the type with a minimum, if it is a number, or a mapping to numbers, or may be one of them."""
    if kind is int:
        return Annotated[int, Meta(ge=least)]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return reduce(or_, (_bounded(argument, least) for argument in arguments))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return Mapping[arguments[0], _bounded(arguments[1], least)]  # type: ignore[valid-type,misc]
    return kind


def _least(name: str, about: str) -> int | None:
    """Return the minimum of a count or of a position."""
    if name in ("line", "column", "col") or re.search(r"\b(from|at least) 1\b", about):
        return 1
    return 0 if re.search(r"\b(number of|size)\b", about, re.IGNORECASE) else None


def _attribute(cls: type, name: str) -> tuple[object, str]:
    """Return the type and the description of an attribute."""
    value = getattr(cls, name, None)
    if isinstance(value, property) and value.fget is not None:
        return _hints(value.fget)["return"], _first(value.fget)
    return _hints(cls)[name], _described(cls, name)


def _described(cls: type, name: str) -> str:
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


def _closed(kind: object, about: str) -> object:
    """Return the type of a member, limited to the closed set that its description names, such as `a PageReason`.

    In a mapping, that limits the keys.
    """
    named_set = re.search(r"\ban? `?([A-Z]\w+)`?", about)
    if named_set is None or named_set[1] not in _CLOSED:
        return kind
    values = Literal[*_CLOSED[named_set[1]]()]  # type: ignore[valid-type]
    if isinstance(origin := get_origin(kind), type) and issubclass(origin, Mapping):
        keys = Meta(extra_json_schema={"propertyNames": {"enum": [*get_args(values)]}})
        return Annotated[kind, keys]
    if kind not in (str, str | None):
        return kind
    return values if kind is str else values | None


_CLOSED: dict[str, Callable[[], Iterable[str]]] = {
    "PageReason": lambda: [reason.value for reason in PageReason],
    "ExtensionKey": lambda: _core.vocabularies()["extension_keys"],
    "ExtensionProblem": lambda: _core.vocabularies()["extension_problems"],
    "UrlProblem": lambda: _core.vocabularies()["url_problems"],
}


def _first(of: object) -> str:
    return " ".join((inspect.getdoc(of) or "").partition("\n\n")[0].split())


def _translated(kind: object) -> object:
    """Return the type of what `as_json` makes of a value of a type."""
    if isinstance(kind, type) and get_origin(kind) is None:
        if kind is datetime:
            return Annotated[datetime, Meta(tz=True)]
        if kind in (Path, object):
            return str if kind is Path else Any
        is_object = issubclass(kind, Struct) or is_dataclass(kind)
        return _struct(kind) if is_object else kind
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        first, about = arguments[0], kind.__metadata__  # type: ignore[attr-defined]
        return _row(about[0]) if isinstance(about[0], Columns) else Annotated[_translated(first), *about]
    if origin in (Union, UnionType):
        return reduce(or_, (None if argument is NoneType else _translated(argument) for argument in arguments))
    if origin is None or origin is Literal:
        return kind
    if issubclass(origin, Mapping):
        return dict[str, _translated(arguments[-1])]  # type: ignore[misc]
    if origin is tuple and arguments[-1] is not ...:
        return tuple[*map(_translated, arguments)]  # type: ignore[misc]
    return list[_translated(arguments[0])]  # type: ignore[misc]


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


def _class(name: str) -> type:
    module, _, cls = name.rpartition(".")
    kind: type = getattr(import_module(module if module.startswith("urlset.") else f"urlset.model.{module}"), cls)
    return kind


def _hints(of: object) -> dict[str, object]:
    return get_type_hints(of, localns=_Names(vars(sys.modules[of.__module__])), include_extras=True)


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
                "urlset.agents",
                "urlset.errors",
                "urlset.llms",
                "urlset.robots",
                "urlset.robots_content",
                *_MODULES,
            )
        )
        for module in modules:
            if name in (namespace := vars(import_module(module))):
                return namespace[name]
        raise KeyError(name)


_MODULES = [f"urlset.model.{module.name}" for module in iter_modules(urlset.model.__path__)]
