"""Reading: from a target to a document, and from many targets to many documents at once."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from os import cpu_count
from typing import TYPE_CHECKING, TypeVar

from urlset.documents import DocumentReader
from urlset.errors import InputError, MisuseError
from urlset.fetch import fetch
from urlset.report.model import LeftOut, Unreadable
from urlset.sources import Source, Target, as_targets, sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from urlset._core import Table
    from urlset.config import Progress, ReadOptions

OTHER_FILES = frozenset({"xml", "robots", "unknown"})
"""Kinds of file that belong in a site's folder beside its sitemaps. Anything else that ends in .xml is a mistake."""

SITEMAP_KINDS = frozenset({"urlset", "sitemapindex", "text", "rss", "atom"})
"""Kinds of document that list URLs."""

MOST_READERS = 4
"""Documents read at once, at most: the core releases the interpreter's lock, so that each has a core of its own."""

Result = TypeVar("Result")


def open_one(target: Target, options: ReadOptions, *, hashed: bool = True) -> DocumentReader:
    """Opens a target that is one document; `hashed` asks for its SHA-256.

    Raises:
        InputError: It could not be reached at all.
        MisuseError: It is a folder, several targets or no target.
    """
    targets = as_targets(target)
    if len(targets) != 1:
        raise MisuseError(f"one target at a time, not {len(targets)}")
    source = next(sources_of(targets[0]))
    if source.is_searched:
        raise MisuseError(f"{target!r} is a folder: read its files one by one, or use validate")
    return DocumentReader(source, fetch(source, options), 0, options, hashed=hashed)


def list_sources(targets: Sequence[Target]) -> Iterator[Source | Unreadable]:
    """Every source that the targets stand for, and the targets that stand for none."""
    for target in targets:
        try:
            yield from sources_of(target)
        except InputError as error:
            yield Unreadable(error.target, error.reason)


def read_many(
    targets: Sequence[Target],
    options: ReadOptions,
    take: Callable[[DocumentReader], Result],
    progress: Progress | None = None,
) -> Iterator[tuple[DocumentReader, Result] | Unreadable | LeftOut]:
    """Reads many documents, several at once, and gives them in the order of the targets.

    Args:
        targets: What to read.
        options: How to read.
        take: Called in a thread of its own for each document: reads it, and gives what is to be kept of it.
        progress: Told after each document.

    Yields:
        Each document's reader, with its facts complete, and what `take` gave; or a target that could not be read;
        or a file of a folder that is to be left out: it is no sitemap, and its name does not say that it is one.
        Sources are numbered from 0 in this order.
    """
    sources = list(list_sources(targets))
    readers = min(len(sources), cpu_count() or 1, MOST_READERS) or 1
    waiting: deque[Future[tuple[DocumentReader, Result] | Unreadable]] = deque()

    def work(source: Source | Unreadable, number: int) -> tuple[DocumentReader, Result] | Unreadable:
        if isinstance(source, Unreadable):
            return source
        try:
            reader = DocumentReader(source, fetch(source, options), number, options)
            return reader, take(reader)
        except InputError as error:
            return Unreadable(error.target, error.reason)

    with ThreadPoolExecutor(readers, thread_name_prefix="urlset-read") as pool:
        upcoming = iter(enumerate(sources))
        done = 0
        try:
            while True:
                # A bounded number in flight: what was read waits in memory until it is asked for.
                while len(waiting) < readers + 1 and (following := next(upcoming, None)) is not None:
                    waiting.append(pool.submit(work, following[1], following[0]))
                if not waiting:
                    return
                source = sources[done]
                outcome = waiting.popleft().result()
                done += 1
                if progress is not None:
                    progress(done, len(sources), source.name if isinstance(source, Source) else source.target)
                if _is_left_out(source, outcome) and not isinstance(outcome, Unreadable):
                    yield LeftOut(outcome[0].facts["url"], outcome[0].facts["kind"])
                else:
                    yield outcome
        finally:
            for future in waiting:
                future.cancel()


def _is_left_out(source: Source | Unreadable, outcome: tuple[DocumentReader, object] | Unreadable) -> bool:
    if isinstance(source, Unreadable) or isinstance(outcome, Unreadable) or not source.is_searched:
        return False
    kind = outcome[0].facts["kind"]
    is_text = source.name.lower().removesuffix(".gz").endswith(".txt")
    return not source.is_called_sitemap and (kind in OTHER_FILES or (is_text and kind not in SITEMAP_KINDS))


def tables_of(reader: DocumentReader) -> dict[str, Table]:
    """For `read_many`: keeps every table."""
    return reader.read_all()
