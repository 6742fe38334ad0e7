"""`sql`: from targets to the tables that a query is asked of, batch by batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.documents import DocumentReader
from urlset.errors import InputError
from urlset.fetch import fetch
from urlset.pipeline.read import is_left_out, list_sources
from urlset.report.model import LeftOut, Unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.config import Progress, ReadOptions
    from urlset.engine.query import Query
    from urlset.sources import Target

DOCUMENTS_AT_ONCE = 1_000
"""Rows of `documents` that are added together: each insert has a cost of its own."""


def load(
    query: Query, targets: Sequence[Target], options: ReadOptions, progress: Progress | None = None
) -> tuple[list[Unreadable], list[LeftOut]]:
    """Reads documents into the tables that a query uses, in their order and in bounded memory.

    Args:
        query: What the rows are added to.
        targets: What to read.
        options: How to read.
        progress: Told after each document.

    Returns:
        What could not be read, and which files of folders were left out since they are no sitemaps. Neither leaves
        a row behind.
    """
    unreadable: list[Unreadable] = []
    left_out: list[LeftOut] = []
    documents = []
    sources = list(list_sources(targets))
    for number, source in enumerate(sources):
        if isinstance(source, Unreadable):
            unreadable.append(source)
            continue
        try:
            reader = DocumentReader(source, fetch(source, options), number, options)
            for batch in reader:
                query.add(batch)
        except InputError as error:
            query.remove(number)
            unreadable.append(Unreadable(error.target, error.reason))
        else:
            if is_left_out(source, reader):
                query.remove(number)
                left_out.append(LeftOut(reader.facts["url"], reader.facts["kind"]))
            else:
                documents.append(reader.facts)
        if len(documents) == DOCUMENTS_AT_ONCE:
            query.add_documents(documents)
            documents = []
        if progress is not None:
            progress(number + 1, len(sources), source.name)
    query.add_documents(documents)
    return unreadable, left_out
