"""The schemas that `urlset help json` prints are valid, and the JSON of commands agrees with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec import Struct

from urlset.model.fields import OneOf
from urlset.report import json_schema

FIELDS: dict[tuple[str, str], st.SearchStrategy[Any]] = {
    ("RunRow", "settings"): st.just('{"timeout": 2.0}'),
    ("File", "digest"): st.text("0123456789abcdef", min_size=32, max_size=32),
    ("BuildChecks", "comparison"): st.none(),
    ("BuildChecks", "links"): st.none(),
}
"""Values of fields whose type allows more than they have, and of those whose JSON other tests validate."""


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Return any value of the type of an attribute."""
    origin, within = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return st.one_of(*map(values, within))
    if origin is Literal:
        return st.sampled_from(within)
    if origin is tuple and within[-1] is not ...:
        return st.tuples(*map(values, within))
    if is_dataclass(origin) or (isinstance(origin, type) and issubclass(origin, Struct)):
        return instances(kind)
    if origin is Annotated:
        notes = kind.__metadata__
        if closed := [note for note in notes if isinstance(note, OneOf)]:
            return st.sampled_from([*map(str, closed[0].values())])
        patterns = [(getattr(note, "extra_json_schema", None) or {}).get("pattern") for note in notes]
        pattern = next(filter(None, patterns), None)
        return values(within[0]) if pattern is None else st.from_regex(pattern, fullmatch=True)
    if origin is not None and issubclass(origin, Mapping):
        return st.dictionaries(values(within[0]), values(within[1]), max_size=2)
    if origin is not None:
        return st.lists(values(within[0]), max_size=2).map(tuple)
    if kind is float:
        return st.floats(0, 1)
    if kind is int:
        return st.integers(1, 1_000_000)
    if kind is datetime:
        return st.datetimes(timezones=st.just(UTC))
    if kind is object:
        return st.sampled_from([1, "a", None, Path("a"), (1, 2)])
    if kind in (str, Path):
        return st.text(max_size=3).map(kind)
    if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, Struct)):
        return instances(kind)
    return st.none() if kind is NoneType else st.from_type(kind)


def instances(kind: Any) -> st.SearchStrategy[Any]:
    cls: Any = get_origin(kind) or kind
    names = [one.name for one in fields(cls)] if is_dataclass(cls) else cls.__struct_fields__
    hints = json_schema._hints(kind)
    known = {name: value for (of, name), value in FIELDS.items() if of == cls.__name__}
    return st.builds(cls, **{name: known[name] if name in known else values(hints[name]) for name in names})


PARSED = {
    "audit",
    "audit page",
    "check",
    "coverage",
    "deploy-check",
    "inspect",
    "logs",
    "robots",
    "statistics",
    "validate",
}
"""Outputs that their tests validate: with a parsed robots.txt, the steps of the scored check, rows of documents, or
findings."""


@pytest.mark.hypothesis
@pytest.mark.parametrize("command", sorted({*json_schema.names()} - PARSED))
def test_json_agrees_with_its_schema(command: str) -> None:
    output = json_schema.outputs()[command]
    schema = json_schema.schema(command)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)

    @settings(max_examples=10)
    @given(instances(json_schema.class_of(output)))
    def check(result: Any) -> None:
        model = [result] if output.listed else result
        found = json.loads("\n".join(output.json(model)))
        validator.validate(found)
        with pytest.raises(Exception, match="Additional properties"):
            validator.validate({**found, "other": 1})

    check()


@pytest.mark.parametrize("command", sorted(PARSED))
def test_schemas_are_valid(command: str) -> None:
    Draft202012Validator.check_schema(json_schema.schema(command))
