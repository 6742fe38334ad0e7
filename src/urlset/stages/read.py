"""The read stage: from the first documents of a run to the outcomes of these and of all documents that they list."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from urlset.stages.buffered import BufferedDocument
from urlset.stages.follow import Follower
from urlset.stages.scheduler import Scheduler
from urlset.stages.sequencer import Sequencer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlset.documents import DocumentReader
    from urlset.options.verbs import InspectOptions
    from urlset.stages.outcomes import Outcome
    from urlset.stages.previous import PreviousRun
    from urlset.stages.seeds import Seeds
    from urlset.text.progress import Progress


@contextmanager
def read(
    seeds: Seeds,
    options: InspectOptions,
    progress: Progress | None = None,
    buffer: Callable[[DocumentReader], BufferedDocument] = BufferedDocument,
    previous: PreviousRun | None = None,
) -> Iterator[Iterator[Outcome]]:
    """Read documents concurrently, and follow indexes to the sitemaps that they list, within limits.

    Reading starts immediately, so that the caller can prepare in the meantime. The frontier numbers the documents:
    first those of the targets, in order, then those that indexes list, level by level.

    Args:
        progress: Called after each document.
        buffer: Called for each document in a separate thread; reads it and holds its first rows.
        previous: The run whose documents are taken if their index says that they did not change; None to read all.

    Yields:
        The outcomes of the documents in the order of their numbers, then a summary.
    """
    follower = Follower(seeds.sources, options)
    with Scheduler(follower.frontier, seeds, options, buffer, previous) as scheduler:
        scheduler.begin_more()
        yield Sequencer(scheduler, follower, seeds, progress, previous).outcomes()
