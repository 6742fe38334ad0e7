"""Reading: from a target to a document, and from many targets to many documents at once."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import TYPE_CHECKING, Generic, Self, TypeAlias, TypeVar

from urlset.documents import DocumentReader, merged
from urlset.errors import InputError, MisuseError
from urlset.fetch import fetch
from urlset.report.model import LeftOut, Unreadable
from urlset.sources import Source, Target, as_targets, sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    from urlset._core import Table
    from urlset.config import Progress, ReadOptions
    from urlset.schema.validate import Validator

OTHER_FILES = frozenset({"xml", "robots", "unknown"})
"""Kinds of file that belong in a site's folder beside its sitemaps. Anything else that ends in .xml is a mistake."""

SITEMAP_KINDS = frozenset({"urlset", "sitemapindex", "text", "rss", "atom"})
"""Kinds of document that list URLs."""

MOST_ROWS_HELD = 250_000
"""Rows of one document held in memory, at most: five times what the protocol allows a sitemap in entries."""

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


Outcome: TypeAlias = tuple[DocumentReader, Result] | Unreadable | LeftOut


class ReadMany(Generic[Result]):
    """Reads many documents, several at once, and gives them in the order of the targets.

    Reading begins when it is entered, so that the caller can get ready meanwhile. Iterating gives for each source its
    reader, with the facts complete, and what `take` gave; or that it could not be read; or that it is to be left out: a
    file of a folder that is no sitemap, and whose name does not say that it is one. Sources are numbered from 0 in this
    order.

    Args:
        targets: What to read.
        options: How to read.
        take: Called in a thread of its own for each document: reads it, and gives what is to be kept of it.
        progress: Told after each document.
    """

    def __init__(
        self,
        targets: Sequence[Target],
        options: ReadOptions,
        take: Callable[[DocumentReader], Result],
        progress: Progress | None = None,
    ) -> None:
        self._sources = list(list_sources(targets))
        self._options = options
        self._take = take
        self._progress = progress
        self._readers = min(len(self._sources), cpu_count() or 1, MOST_READERS) or 1
        self._pool = ThreadPoolExecutor(self._readers, thread_name_prefix="urlset-read")
        self._upcoming = iter(enumerate(self._sources))
        self._waiting: deque[Future[tuple[DocumentReader, Result] | Unreadable]] = deque()

    def __enter__(self) -> Self:
        self._submit()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def __iter__(self) -> Iterator[Outcome[Result]]:
        for done, source in enumerate(self._sources, start=1):
            outcome = self._waiting.popleft().result()
            self._submit()
            if self._progress is not None:
                name = source.name if isinstance(source, Source) else source.target
                self._progress(done, len(self._sources), name)
            if not isinstance(outcome, Unreadable) and is_left_out(source, outcome[0]):
                yield LeftOut(outcome[0].facts["url"], outcome[0].facts["kind"])
            else:
                yield outcome

    def _submit(self) -> None:
        """Keeps a bounded number in flight: what was read waits in memory until it is asked for."""
        while len(self._waiting) <= self._readers and (following := next(self._upcoming, None)) is not None:
            self._waiting.append(self._pool.submit(self._read, *following))

    def _read(self, number: int, source: Source | Unreadable) -> tuple[DocumentReader, Result] | Unreadable:
        if isinstance(source, Unreadable):
            return source
        try:
            reader = DocumentReader(source, fetch(source, self._options), number, self._options)
            return reader, self._take(reader)
        except InputError as error:
            return Unreadable(error.target, error.reason)


def is_left_out(source: Source | Unreadable, reader: DocumentReader) -> bool:
    """Whether a file of a folder, read to its end, is no sitemap and was not called one either."""
    if isinstance(source, Unreadable) or not source.is_searched or source.is_called_sitemap:
        return False
    kind = reader.facts.get("kind")
    if kind is None:
        # Too large to have been read to its end, and so no small file that happens to lie beside the sitemaps.
        return False
    is_text = source.name.lower().removesuffix(".gz").endswith(".txt")
    return kind in OTHER_FILES or (is_text and kind not in SITEMAP_KINDS)


@dataclass(frozen=True, slots=True)
class Held:
    """What is held of a document: all of it, or as much as may be.

    Attributes:
        tables: Every table that has rows, as far as the document was read.
        rest: The batches that are still to be read; None if that was all.
        validator: What holds it against the official schemas meanwhile; None if nothing does.
    """

    tables: dict[str, Table]
    rest: Iterator[dict[str, Table]] | None
    validator: Validator | None = None


def hold(reader: DocumentReader, validator: Validator | None = None) -> Held:
    """For `ReadMany`: reads a document, up to `MOST_ROWS_HELD` rows of it; `validator` sees all its bytes."""
    if validator is not None:
        reader.watched_by(validator.feed)
    batches = iter(reader)
    held: list[dict[str, Table]] = []
    rows = 0
    for batch in batches:
        held.append(batch)
        rows += sum(table.num_rows for table in batch.values())
        if rows > MOST_ROWS_HELD:
            return Held(merged(held), batches, validator)
    return Held(merged(held), None, validator)
