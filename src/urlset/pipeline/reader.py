"""The read stage: from the documents that a run begins with to what becomes of each, and of all that they list."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from urlset.pipeline.buffered import BufferedDocument
from urlset.pipeline.follow import Follower
from urlset.pipeline.scheduler import Scheduler
from urlset.pipeline.sequencer import Sequencer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlset.documents import DocumentReader
    from urlset.options.verbs import InspectOptions
    from urlset.pipeline.earlier import Earlier
    from urlset.pipeline.outcomes import Outcome
    from urlset.pipeline.seeds import Seeds
    from urlset.progress import Progress


@contextmanager
def read(
    seeds: Seeds,
    options: InspectOptions,
    progress: Progress | None = None,
    buffer: Callable[[DocumentReader], BufferedDocument] = BufferedDocument,
    earlier: Earlier | None = None,
) -> Iterator[Iterator[Outcome]]:
    """Read documents, several at once, and on from an index to all that it lists, within bounds.

    Reading begins at once, so that the caller can get ready meanwhile. The numbers of the documents are those of the
    frontier: what the targets stand for, in their order, then level by level what indexes list.

    Args:
        seeds: The documents to begin with, and what fetches them.
        options: How to fetch and read, and how far to follow what is listed.
        progress: Called after each document.
        buffer: Called in a thread of its own for each document: reads it, and holds its first rows.
        earlier: What an earlier process of the same run did already; None to read everything.

    Yields:
        The outcomes of the documents in the order of their numbers, then a summary.
    """
    follower = Follower(seeds.sources, options, None if earlier is None else earlier.settled)
    with Scheduler(follower.frontier, seeds, options, buffer, earlier) as scheduler:
        scheduler.begin_more()
        yield Sequencer(scheduler, follower, seeds, progress, earlier).outcomes()
