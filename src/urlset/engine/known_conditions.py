"""Decides in Python which conditions on documents are false, since a query takes longer than to read a small sitemap.

The conditions of urlset's own rules are stored as trees (`engine.conditions` derives them). A tree is a list: an
operator and its operands, `["column", name]`, `["parameter", name]`, or `["constant", value]`. Evaluating one follows
SQL, where None is null, and gives up with `UNDECIDED` wherever SQL and Python might differ; DuckDB then decides.
"""

from __future__ import annotations

import operator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import json

from urlset.engine.documents_table import storable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

Tree: TypeAlias = list[Any]
"""A condition, or a part of one."""

CONDITIONS: Final = Path(__file__).with_name("conditions.json")
"""The trees of the conditions of urlset's own rules, by their SQL; written by `scripts/make_rules.py`."""


class _Undecided(Enum):
    UNDECIDED = "undecided"


UNDECIDED: Final = _Undecided.UNDECIDED
"""The value of an expression that Python does not decide."""


def is_met(sql: str | None, documents: Sequence[Mapping[str, object]], parameters: Mapping[str, object]) -> bool | None:
    """Return whether a condition is true for any of the documents; None if Python does not decide that.

    Args:
        sql: The condition, with `$name` for parameters; only those of urlset's own rules are decided.
        documents: Rows of `documents`.
        parameters: The value of each parameter; instants as microseconds since 1970.
    """
    tree = None if sql is None else _trees().get(sql)
    if tree is None:
        return None
    return _any(_is_true(tree, row, parameters) for row in documents)


def _is_true(tree: Tree, row: Mapping[str, object], parameters: Mapping[str, object]) -> bool | None:
    """Return whether an expression is true for a row, as opposed to false or null; None if Python does not decide."""
    match tree:
        case ["and", *operands]:
            is_not = _any(_negate(_is_true(operand, row, parameters)) for operand in operands)
            return _negate(is_not)
        case ["or", *operands]:
            return _any(_is_true(operand, row, parameters) for operand in operands)
    value = evaluate(tree, row, parameters)
    return None if value is UNDECIDED else value is True


def _any(answers: Iterable[bool | None]) -> bool | None:
    results = set(answers)
    return True if True in results else None if None in results else False


def _negate(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


@cache
def _trees() -> dict[str, Tree]:
    return json.decode(CONDITIONS.read_bytes(), type=dict[str, Tree])


def evaluate(tree: Tree, row: Mapping[str, object], parameters: Mapping[str, object]) -> object:
    """Return the value of an expression for a row: a value, None for null, or `UNDECIDED`."""
    name, *operands = tree
    match name:
        case "constant":
            return operands[0]
        case "column":
            return storable(row.get(operands[0]))
        case "parameter":
            return parameters.get(operands[0], UNDECIDED)
        case "and" | "or":
            # The operand that decides; an undecided operand hides null, which hides the other value.
            decisive = name == "or"
            values = [evaluate(operand, row, parameters) for operand in operands]
            return next(
                (value for value in (decisive, UNDECIDED, None) if any(v is value for v in values)), not decisive
            )
    values = [evaluate(operand, row, parameters) for operand in operands]
    if name == "coalesce":
        return next((value for value in values if value is not None), None)
    if UNDECIDED in values:
        return UNDECIDED
    if name == "is-null":
        return values[0] is None
    if name == "in":
        return _is_in(values)
    if None in values or name not in _OPERATIONS:
        return UNDECIDED if name not in _OPERATIONS or name == "least" else None
    return _OPERATIONS[name](*values)


def _is_in(values: Sequence[object]) -> object:
    value, *others = values
    if value is None or None in others:
        return None if value is None else UNDECIDED
    return value in others if all(type(other) is type(value) for other in others) else UNDECIDED


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


def _comparison(compare: Callable[[Any, Any], bool]) -> Callable[[object, object], object]:
    is_order = compare not in (operator.eq, operator.ne)

    def result(left: object, right: object) -> object:
        are_numbers = _is_number(left) and _is_number(right)
        are_texts = isinstance(left, str) and isinstance(right, str) and not is_order
        return compare(left, right) if are_numbers or are_texts else UNDECIDED

    return result


def _calculation(calculate: Callable[[object, object], object]) -> Callable[[object, object], object]:
    return lambda left, right: calculate(left, right) if _is_number(left) and _is_number(right) else UNDECIDED


def _is_like(text: object, pattern: object) -> object:
    if not isinstance(text, str) or not isinstance(pattern, str):
        return UNDECIDED
    begin, *middle, end = pattern.split("%")
    if "_" in pattern or (not middle and "%" not in pattern) or any(middle[1:]):
        return UNDECIDED
    if not middle:
        return text.startswith(begin) and text.endswith(end) if not (begin and end) else UNDECIDED
    return middle[0] in text if not begin and not end else UNDECIDED


_OPERATIONS: Mapping[str, Callable[..., object]] = {
    "=": _comparison(operator.eq),
    "<>": _comparison(operator.ne),
    "<": _comparison(operator.lt),
    "<=": _comparison(operator.le),
    ">": _comparison(operator.gt),
    ">=": _comparison(operator.ge),
    "+": _calculation(operator.add),
    "-": _calculation(operator.sub),
    "*": _calculation(operator.mul),
    "&": lambda left, right: left & right if type(left) is type(right) is int else UNDECIDED,
    "least": lambda *values: min(values) if all(map(_is_number, values)) else UNDECIDED,
    "not": lambda value: not value if isinstance(value, bool) else UNDECIDED,
    "lower": lambda value: value.lower() if isinstance(value, str) and value.isascii() else UNDECIDED,
    "len": lambda value: len(value) if isinstance(value, list) else UNDECIDED,
    "first": lambda value: (value[0] if value else None) if isinstance(value, list) else UNDECIDED,
    "joined": lambda value: " ".join(value) if isinstance(value, list) and None not in value else UNDECIDED,
    "||": lambda left, right: left + right if isinstance(left, str) and isinstance(right, str) else UNDECIDED,
    "like": _is_like,
    "ends-with": lambda text, end: text.endswith(end) if isinstance(text, str) and isinstance(end, str) else UNDECIDED,
}
"""Operators whose result is null if an operand is, except `least`."""
