"""Documents that two runs have in common, whose rows need not be compared, or even stored twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from urlset.store.file import RUN_ID, Store
from urlset.tables import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import duckdb

SIGNED = ("sha256", "bytes", "kind", "encoding", "entries")
"""Columns of `documents` that are equal if two documents have the same rows in `urls`."""

Signature: TypeAlias = "tuple[object, ...]"
"""The values of these columns."""


def signature_of(facts: Mapping[str, Any]) -> Signature | None:
    """Return the signature of a document by its row of `documents`; None if it was not read to its end."""
    if facts.get("sha256") is None or facts.get("complete") is not True:
        return None
    return tuple(facts[name] for name in SIGNED)


def signatures(
    connection: duckdb.DuckDBPyConnection, run_id: int, catalog: str = "", *, incomplete: bool = False
) -> dict[int, Signature]:
    """Return the signature of each document of a run that has one, by number, in order.

    Args:
        connection: A connection to its store.
        run_id: The run.
        catalog: The name of the store if it is attached to the connection, with a dot.
        incomplete: Whether to include documents that were not read to their end.
    """
    rows = connection.execute(
        f"SELECT document_id, {', '.join(SIGNED)} FROM {catalog}{DOCUMENTS.name} "
        f"WHERE {RUN_ID} = {run_id:d} AND ({incomplete} OR (complete AND sha256 IS NOT NULL)) ORDER BY document_id"
    ).fetchall()
    return {number: tuple(values) for number, *values in rows}


def signatures_of_all(store: Store, run_id: int) -> dict[int, Signature]:
    """Return the signature of each document of a run, even if it was not read to its end, by number."""
    return signatures(store.connection, run_id, incomplete=True)


def signatures_in(path: Path, run_id: int, version: str) -> frozenset[Signature]:
    """Return the signatures of the documents of a run; none if another version of urlset read them."""
    with Store.read(path) as store:
        if store.run(run_id).version != version:
            return frozenset()
        return frozenset(signatures(store.connection, run_id).values())


def pairs(before: Mapping[int, Signature], after: Mapping[int, Signature]) -> list[tuple[int, int]]:
    """Return the documents that both runs have: for each signature, the first document of each run with it."""
    first_before, first_after = _firsts(before), _firsts(after)
    return [(number, first_after[one]) for one, number in first_before.items() if one in first_after]


def _firsts(signed: Mapping[int, Signature]) -> dict[Signature, int]:
    firsts: dict[Signature, int] = {}
    for number, signature in signed.items():
        firsts.setdefault(signature, number)
    return firsts
