"""What results have in common: a short `repr`, since they may hold millions of rows, and their JSON."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import is_dataclass
from typing import TypeVar

from msgspec import Struct

from urlset.model.json_values import as_json

T = TypeVar("T", bound=type[Struct])

LONGEST_VALUE = 80
"""Characters of the longest value that is shown."""


class JsonValues:
    """A result, or a part of one, that gives its own JSON."""

    __slots__ = ()

    def to_dict(self) -> dict[str, object]:
        """Return it as JSON values, as `--format json` shows it."""
        values: dict[str, object] = as_json(self)
        return values


def with_short_repr(cls: T) -> T:
    """Give a result a `repr` with the size of each collection instead of its items."""
    setattr(cls, "__repr__", _short_repr)  # noqa: B010 - a type checker takes `_short_repr` for a bound method
    return cls


def _short_repr(result: Struct) -> str:
    parts = (
        f"{name}={_value(getattr(result, name))}"
        for name in result.__struct_fields__
        if not callable(getattr(result, name))
    )
    return f"{type(result).__name__}({', '.join(parts)})"


def _value(value: object) -> str:
    if isinstance(value, Collection) and not isinstance(value, str | bytes):
        return f"<{len(value):,} {'item' if len(value) == 1 else 'items'}>"
    if is_dataclass(value) or isinstance(value, Struct):
        return f"<{type(value).__name__}>"
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else f"<{type(value).__name__}>"
