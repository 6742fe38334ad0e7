"""Documents that two runs have in common, whose rows need not be compared, or even stored twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from urlset import _core
from urlset.store.file import RUN_ID
from urlset.tables import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import duckdb

    from urlset.model.run import RunRow
    from urlset.store.file import Store

SIGNED = ("sha256", "bytes", "kind", "encoding", "entries")
"""Columns of `documents` that are equal if two documents have the same rows in `urls`."""

Signature: TypeAlias = "tuple[object, ...]"
"""The values of these columns."""


def signature_of(facts: Mapping[str, object]) -> Signature | None:
    """Return the signature of a document by its row of `documents`; None if it was not read to its end."""
    if facts.get("sha256") is None or facts.get("complete") is not True:
        return None
    return signed_values(facts)


def signed_values(facts: Mapping[str, object]) -> Signature:
    """Return the values of a document that its signature consists of, even if it was not read to its end."""
    return tuple(facts[name] for name in SIGNED)


def signatures(connection: duckdb.DuckDBPyConnection, run_id: int, catalog: str = "") -> dict[int, Signature]:
    """Return the signature of each document of a run that has one, by number, in order.

    Args:
        connection: A connection to its store.
        run_id: The run.
        catalog: The name of the store if it is attached to the connection, with a dot.
    """
    signed = {number: signature_of(facts) for number, facts in _documents(connection, run_id, catalog)}
    return {number: signature for number, signature in signed.items() if signature is not None}


def signed_values_in(store: Store, run_id: int) -> dict[int, Signature]:
    """Return the `signed_values` of each document of a run, by number."""
    return {number: signed_values(facts) for number, facts in _documents(store.connection, run_id)}


def _documents(
    connection: duckdb.DuckDBPyConnection, run_id: int, catalog: str = ""
) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the number of each document, and what its signature depends on, by column."""
    names = ("complete", *SIGNED)
    rows = connection.execute(
        f"SELECT document_id, {', '.join(names)} FROM {catalog}{DOCUMENTS.name} "
        f"WHERE {RUN_ID} = {run_id:d} ORDER BY document_id"
    ).fetchall()
    return ((number, dict(zip(names, values, strict=True))) for number, *values in rows)


def signatures_in(store: Store, run: RunRow) -> frozenset[Signature]:
    """Return the signatures of the documents of a run; none if another version of urlset read them."""
    if run.version != _core.__version__:
        return frozenset()
    return frozenset(signatures(store.connection, run.run_id).values())


def pairs(before: Mapping[int, Signature], after: Mapping[int, Signature]) -> list[tuple[int, int]]:
    """Return the documents that both runs have: for each signature, the first document of each run with it."""
    first_before, first_after = _firsts(before), _firsts(after)
    return [(number, first_after[document]) for document, number in first_before.items() if document in first_after]


def _firsts(signed: Mapping[int, Signature]) -> dict[Signature, int]:
    firsts: dict[Signature, int] = {}
    for number, signature in signed.items():
        firsts.setdefault(signature, number)
    return firsts
