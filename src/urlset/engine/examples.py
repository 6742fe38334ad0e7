"""Rows that DuckDB gives, as examples of findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.messages import Template, as_text
from urlset.model.finding import Example
from urlset.rules.rule import AnomalyRule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.engine.sql import QueryRule, RowRule


def row_example(row_rule: RowRule, cells: Mapping[str, object], url: object) -> Example:
    """One row that breaks a rule: its cells by name, and the loc of the entry that it belongs to."""
    line, column = next(
        ((cells[line], cells[col]) for line, col in row_rule.place if cells[line] is not None), (None, None)
    )
    field = row_rule.rule.field or (cells["field"] if isinstance(row_rule.rule, AnomalyRule) else None)
    return _example(row_rule.template, cells, (line, column), url, field)


def set_example(query_rule: QueryRule, cells: Mapping[str, object]) -> Example:
    """One row that the query of a rule yields: its cells by name."""
    return _example(query_rule.template, cells, (cells["line"], cells["col"]), cells["url"], query_rule.rule.field)


def _example(
    template: Template, cells: Mapping[str, object], place: tuple[object, object], url: object, field: object
) -> Example:
    line, column = place
    value = cells["value"]
    return Example(
        ordinal=None if cells.get("ordinal") is None else whole(cells["ordinal"]),
        line=None if line is None else whole(line),
        column=None if column is None else whole(column),
        url=None if url is None else as_text(url),
        field=None if field is None else as_text(field),
        value=None if value is None else as_text(value),
        message=template.fill(cells),
    )


def whole(value: object) -> int:
    """A cell that holds a whole number."""
    if not isinstance(value, int):
        raise TypeError(f"expected a whole number, got {value!r}")
    return value
