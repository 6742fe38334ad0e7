"""SQL for rules that check several columns of a row: which columns are at fault, and how an example names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Fault(NamedTuple):
    """A column that can be at fault.

    Attributes:
        column: Its name.
        where: SQL predicate, true if the column is at fault.
        words: SQL for the text in the example.
    """

    column: str
    where: str
    words: str


def any_of(faults: Sequence[Fault]) -> str:
    """Return a SQL predicate that is true for rows with at least one column at fault."""
    return " OR ".join(f"({fault.where})" for fault in faults)


def all_words(faults: Sequence[Fault]) -> str:
    """Return SQL for the texts of all columns at fault, in the order of `faults`."""
    words = ", ".join(f"CASE WHEN {fault.where} THEN {fault.words} END" for fault in faults)
    return f"concat_ws(', ', {words})"


def first_column(faults: Sequence[Fault]) -> str:
    """Return SQL for the name of the first column at fault, which the example points to."""
    return _first_match([(fault.where, f"'{fault.column}'") for fault in faults])


def first_value(faults: Sequence[Fault]) -> str:
    """Return SQL for the value of the first column at fault; all columns must be of type text."""
    return _first_match([(fault.where, fault.column) for fault in faults])


def null_faults(names: dict[str, str]) -> tuple[Fault, ...]:
    """Return a fault for each column that must be null, with the name that the example uses for it."""
    return tuple(Fault(column, f"{column} IS NOT NULL", f"'{name}'") for column, name in names.items())


def _first_match(cases: Sequence[tuple[str, str]]) -> str:
    return f"CASE {' '.join(f'WHEN {where} THEN {then}' for where, then in cases)} END"
