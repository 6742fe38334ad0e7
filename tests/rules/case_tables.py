"""The tables of a case, as the engine gets them."""

from __future__ import annotations

from typing import Any

from urlset import _core
from urlset.documents import DocumentReader, concatenate
from urlset.fetch import fetch
from urlset.net.urlparts import published_at
from urlset.options.verbs import InspectOptions
from urlset.sources import Source, SourceKind

from .runs import CaseTables, tables_of
from .test_cases import Case, bytes_of


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
