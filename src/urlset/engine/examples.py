"""Converts rows from DuckDB to examples of findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.messages import Template, as_text
from urlset.engine.rule_sql import FIELD_PLACES
from urlset.model.finding import Example
from urlset.rules.rule import AnomalyRule
from urlset.text.masking import mask_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.engine.rule_sql import QueryRule, RowRule
    from urlset.tables import Table


LINKED_FROM = "linked_from"
"""The column with a page that has a link; an example that begins with it is about the link."""


def in_document_order(table: Table, key: object, cells: Mapping[str, object]) -> tuple[object, ...]:
    """Return the sort key of a row of a table, from its key and its cells, which distinguish rows with the same key."""
    return (integer_of(key), [as_text(cells[name]) for name in (*table.ties, *sorted(cells))] if table.ties else [])


def row_example(row_rule: RowRule, cells: Mapping[str, object], url: object) -> Example:
    """Return an example for a row that breaks a rule, from its cells by name and the loc of its entry."""
    field = row_rule.rule.field or cells["field" if isinstance(row_rule.rule, AnomalyRule) else "at_fault"]
    place = next(((cells[line], cells[col]) for line, col in row_rule.place if cells[line] is not None), (None, None))
    return _example(row_rule.template, cells, _place_of_field(cells, field) or place, url, field)


def _place_of_field(cells: Mapping[str, object], field: object) -> tuple[object, object] | None:
    """Return the position of a field of a record; None if it is unknown, or the record lacks the field."""
    names, lines, cols = (cells.get(name) for name in FIELD_PLACES)
    if not isinstance(names, list) or not isinstance(lines, list) or not isinstance(cols, list) or field not in names:
        return None
    index = names.index(field)
    return lines[index], cols[index]


def set_example(query_rule: QueryRule, cells: Mapping[str, object]) -> Example:
    """Return an example for a row of the query of a rule, from its cells by name."""
    return _example(query_rule.template, cells, (cells["line"], cells["col"]), cells["url"], query_rule.rule.field)


def _example(
    template: Template, cells: Mapping[str, object], place: tuple[object, object], url: object, field: object
) -> Example:
    line, column = place
    cells = {name: _without_password(cell) for name, cell in cells.items()}
    url, value = _without_password(url), cells["value"]
    return Example(
        ordinal=None if cells.get("ordinal") is None else integer_of(cells["ordinal"]),
        line=None if line is None else integer_of(line),
        column=None if column is None else integer_of(column),
        url=None if url is None else as_text(url),
        field=None if field is None else as_text(field),
        value=None if value is None else as_text(value),
        message=template.fill(cells),
        linked_from=as_text(cells[LINKED_FROM]) if template.names[:1] == (LINKED_FROM,) else None,
    )


def _without_password(cell: object) -> object:
    """Mask user name and password in a URL: reports are shared more widely than the sitemap."""
    return mask_url(cell) if isinstance(cell, str) and "://" in cell else cell


def integer_of(value: object) -> int:
    """Return the value of a cell that contains an integer."""
    if not isinstance(value, int):
        raise TypeError(f"expected an integer, got {value!r}")
    return value
