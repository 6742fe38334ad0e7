"""Hand-made tables and rules for the engine's tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
import pytest

from urlset.engine.duckdb import Engine
from urlset.rules.rule import AnomalyRule, EntryRule, Rule, Severity
from urlset.tables import TABLES

if TYPE_CHECKING:
    from urlset.model.finding import Finding

Rows: TypeAlias = Sequence[Mapping[str, Any]]

ARROW_TYPES = {
    "int32": pa.int32(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "text": pa.string(),
    "text[]": pa.list_(pa.string()),
    "int64[]": pa.list_(pa.int64()),
    "timestamp": pa.timestamp("us"),
}


class Stream:
    """What the reader gives: nothing but the PyCapsule interface, in several batches."""

    def __init__(self, name: str, rows: Rows, batch: int) -> None:
        columns = TABLES[name].columns
        schema = pa.schema([(column.name, ARROW_TYPES[column.type]) for column in columns])
        whole = pa.Table.from_pylist([{c.name: row.get(c.name) for c in columns} for row in rows], schema=schema)
        self._table = pa.Table.from_batches(whole.to_batches(max_chunksize=batch), schema)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def make_chunk(batch: int = 4, **tables: Rows) -> dict[str, object]:
    return {name: Stream(name, rows, batch) for name, rows in tables.items()}


def make_rule(code: str = "TST001", kind: type[Rule] = EntryRule, **facts: Any) -> Rule:
    defaults: dict[str, Any] = {
        "name": "test-rule",
        "severity": Severity.ERROR,
        "sources": ("urlset",),
        "message": "Something is wrong",
        "example": "wrong",
        "fix": "Mend it.",
    }
    if kind is not AnomalyRule:
        defaults["table"] = "urls"
    return kind(code=code, **(defaults | facts))


def run_rules(
    *rules: Rule, chunk: Mapping[str, object], documents: Rows = (), parameters: Any = None, max_examples: int = 10
) -> list[Finding]:
    """What `check` of one chunk and then `finish` find."""
    with Engine(rules, parameters or {}, max_examples=max_examples, threads=2) as engine:
        return [*engine.check(chunk, documents), *engine.finish(documents)]


@pytest.fixture(name="chunk")
def chunk_fixture() -> Callable[..., dict[str, object]]:
    return make_chunk


@pytest.fixture(name="rule")
def rule_fixture() -> Callable[..., Rule]:
    return make_rule


@pytest.fixture(name="find")
def find_fixture() -> Callable[..., list[Finding]]:
    return run_rules
