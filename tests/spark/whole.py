"""Many cases and files as one run, so that both engines judge them at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from tests.rules.runs import CaseTables, tables_of
from tests.rules.test_cases import NOW, Case, bytes_of

from urlset import _core
from urlset.documents import DocumentReader, concatenate
from urlset.engine.documents_table import documents_table
from urlset.engine.duckdb import Engine
from urlset.engine.rule_sql import check_parameters
from urlset.fetch import fetch
from urlset.model.finding import Finding
from urlset.net.urlparts import published_at
from urlset.options.verbs import InspectOptions
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.rule import Rule
from urlset.sources import Source, SourceKind

PARAMETERS: Mapping[str, Any] = {**DEFAULT_LIMITS, "now": NOW}
LITERALS = check_parameters(PARAMETERS)


def case_tables(case: Case, first: int) -> CaseTables:
    """The tables of a case, whose documents are numbered from `first`."""
    if "run" in case.data:
        return tables_of(case.data, bytes_of, first)
    documents: list[dict[str, Any]] = []
    batches: list[dict[str, _core.Table]] = []
    read: dict[str, Any] = {name: case.data[name] for name in ("max_document_bytes",) if name in case.data}
    options = InspectOptions(**read)
    for given in case.data.get("documents", [case.data]):
        for number in range(given.get("times", 1)):
            name = given.get("name", "<bytes>").replace("№", str(number))
            source = Source(SourceKind.BYTES, name, bytes_of(given), f"/{name}" if "name" in given else None)
            reader = DocumentReader(source, fetch(source, options), first + len(documents), options)
            batches.append(reader.read_all())
            documents.append({**reader.facts, **(published_at(case.data["url"]) if "url" in case.data else {})})
    return CaseTables(documents, concatenate(batches), {})


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
