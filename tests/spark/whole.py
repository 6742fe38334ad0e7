"""Many cases and files as one run, so that both engines judge them at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from tests.rules.runs import CaseTables
from tests.rules.test_cases import NOW

from urlset.engine.documents_table import documents_table
from urlset.engine.duckdb import Engine
from urlset.engine.rule_sql import check_parameters
from urlset.model.finding import Finding
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.rule import Rule

PARAMETERS: Mapping[str, Any] = {**DEFAULT_LIMITS, "now": NOW}
LITERALS = check_parameters(PARAMETERS)


def by_duckdb(tables: CaseTables, rules: Iterable[Rule], **options: Any) -> list[Finding]:
    """What the embedded engine finds."""
    with Engine(rules, PARAMETERS, **options) as engine:
        engine.add(tables.run)
        return [*engine.check(tables.chunk, tables.documents), *engine.finish(tables.documents)]


def as_parquet(tables: CaseTables, folder: Path) -> list[str]:
    """Write the tables as files, and return the names of those that have rows."""
    written = []
    for name, table in {**tables.chunk, **tables.run, "documents": documents_table(tables.documents)}.items():
        if len(table):
            pq.write_table(pa.table(table), folder / f"{name}.parquet")
            written.append(name)
    return written


def comparable(found: Iterable[Finding], *, examples: bool = True) -> set[tuple[object, ...]]:
    """Findings as values that can be compared."""
    return {(one.rule.code, one.document_id, one.count, one.examples if examples else ()) for one in found}
