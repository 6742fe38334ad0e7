"""Reads documents on a cluster, and follows indexes to the sitemaps that they list, level by level.

The executors fetch and read the documents of a level. The driver then decides which ones to read next, with the same
frontier as the embedded engine, so that documents have the same numbers, and the same ones are left out.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from urlset import _core
from urlset.cluster.read_documents import write_rows
from urlset.errors import Unreadable, internal_error
from urlset.model.document import SkippedFile
from urlset.sources import is_url
from urlset.stages.follow import Follower
from urlset.stages.open_target import is_left_out
from urlset.tables import CHILDREN, CUTS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from urlset.cluster.read_documents import ClusterReader, ClusterRun
    from urlset.options.verbs import InspectOptions

FOLLOWED = ("document_id", "ordinal", "loc", "line", "col", "lastmod", "scheme", "host", "port")
"""The columns of `children` that following requires."""

_COLUMNS = [(column.name, column.type) for column in CHILDREN.columns if column.name in FOLLOWED]


def read_documents(spark: SparkSession, reader: ClusterReader, options: InspectOptions | None) -> ClusterRun:
    """Read the documents that were given and, if indexes are followed, all that they list, within limits.

    Args:
        options: The limits for following; None to follow nothing.

    Raises:
        OutputError: The folder of the run cannot be written.
    """
    reader.read_sources()
    if (options is None or not options.expand) and not any(source.is_searched for source in reader.sources):
        return reader.complete()
    skipped = _not_sitemaps(reader)
    reader.run.skipped += skipped.values()
    if options is None or not options.expand:
        return reader.complete(skipped)
    follower = Follower(reader.sources, options)
    frontier = follower.frontier
    list(iter(frontier.next, None))
    without = _pass_level(reader, follower) | skipped.keys()
    while follower.next_level():
        level = list(iter(frontier.next, None))
        if level:
            reader.read_children(level)
            without |= _pass_level(reader, follower)
    run = reader.complete(without)
    for number, error in follower.failures:
        run.unreadable.append(Unreadable(frontier.source(number).name, internal_error(error)))
    if frontier.cuts:
        write_rows(spark, run.folder, CUTS.name, [cut.as_row() for cut in frontier.cuts])
    return run


def _not_sitemaps(reader: ClusterReader) -> dict[int, SkippedFile]:
    """Return the files of folders that are neither sitemaps nor named like one, by number."""
    documents = {row["document_id"]: row.asDict() for row in reader.documents()}
    return {
        number: SkippedFile(source.name, documents[number]["kind"])
        for number, source in enumerate(reader.sources)
        if source.is_searched and number in documents and is_left_out(source, documents[number])
    }


def _pass_level(reader: ClusterReader, follower: Follower) -> set[int]:
    """Pass the documents of a level to the follower, and return the duplicates."""
    documents = [row.asDict() for row in reader.documents()]
    frontier = follower.frontier
    owners = {
        row["document_id"]: frontier.record_arrival(row["document_id"], row["final_url"])
        for row in documents
        if is_url(row["final_url"])
    }
    duplicates = {number for number, owner in owners.items() if owner != number}
    listed = {
        number: _core.Table.from_rows(_COLUMNS, [row.asDict() for row in rows])
        for number, rows in groupby(reader.children(FOLLOWED), key=itemgetter("document_id"))
    }
    for row in documents:
        number = row["document_id"]
        if row["kind"] is not None and number not in duplicates:
            follower.take(number, row, [listed[number]] if number in listed else [])
    return duplicates
